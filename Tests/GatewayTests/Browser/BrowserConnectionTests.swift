import Bus
import MeetingModel
import NIOCore
import NIOPosix
import Testing
import Wire

@testable import Gateway

/// Tests of the frames about video that a browser receives.
@Suite struct BrowserConnectionTests {
  private typealias Frame = Signaling.SdkSignalFrame

  private func connection(
    supporting adaptions: [Signaling.SdkServerSideNetworkAdaption] = []
  ) throws -> BrowserConnection {
    let handshake = try WebSocketUpgradeRequest(
      target: "/control/\(MeetingID.random().text)",
      headers: [("Sec-WebSocket-Protocol", "_aws_wt_session, token")], origins: OriginPolicy([]))
    let loop = MultiThreadedEventLoopGroup.singleton.any()
    let mailbox = BrowserEventQueue()
    let number = mailbox.makeNumber()
    let rim = try loop.submit {
      NIOLoopBound(WebSocketHandler(number, handshake, mailbox), eventLoop: loop)
    }.wait()
    let connection = BrowserConnection(
      number, handshake, rim, budget: 1 << 20, now: .now, onOutput: { _ in })
    connection.meeting = MeetingSignalFrames(board: { nil }, onSpeech: {}, now: { 1 })
    connection.wish = BrowserJoin(.init(supportedServerSideNetworkAdaptions: adaptions))
    return connection
  }

  /// Returns the frames that an event causes.
  private func told(
    _ event: V1.SessionEvent.Event, to connection: BrowserConnection
  ) throws -> [Frame] {
    connection.queue(PackedSessionEvents(V1.SessionEvents(events: [.init(event: event)])))
    #expect(connection.flush() == .sent)
    return try connection.takeOutput().frames.map { buffer in
      let bytes = Array(buffer.readableBytesView)
      let header = bytes[1] < 126 ? 2 : bytes[1] == 126 ? 4 : 10
      return try SignalCodec.frame(in: Array(bytes[header...]))
    }
  }

  /// Makes the connection receive the lowest layer of a tile.
  private func receive(_ tile: UInt32, _ connection: BrowserConnection) throws {
    _ = try told(.videoSourcesChanged(.init(available: [.camera(tile)])), to: connection)
    let subscription = BrowserSubscription(offer: "", streamIDs: [tile * 4 + 1])
    connection.pictures.reception = BrowserVideoSubscription(
      subscription, after: .init(), find: connection.pictures.stream)
    connection.pictures.reception.take([.init(trackSSRC: 1_000 + tile, mid: "2")])
    #expect(connection.pictures.reception.isReceiving)
  }

  @Test func `JOIN_ACK names an adaption only if the client supports an adaption`()
    throws
  {
    let started = V1.SessionEvent.Event.sessionStarted(.init())
    let wishes = try told(
      started, to: connection(supporting: [.none, .bandwidthProbingAndVideoQualityAdaption]))
    #expect(
      wishes.first?.joinack?.defaultServerSideNetworkAdaption
        == .bandwidthProbingAndVideoQualityAdaption)
    let none = try told(started, to: connection())
    #expect(none.first?.joinack != nil)
    #expect(none.first?.joinack?.defaultServerSideNetworkAdaption == nil)
  }

  @Test func `a browser learns which videos pause for lack of bandwidth and which videos resume`()
    throws
  {
    let connection = try connection()
    try receive(3, connection)
    func frames(_ tile: UInt32, _ state: V1.TilePauseState) throws -> [Frame] {
      try told(
        .tilesChanged(.init(tiles: [.init(tileID: tile, pauseState: state)])), to: connection)
    }
    let paused = try frames(3, .pausedForPoorConnection)
    #expect(paused.map(\.type) == [.pause] && paused.first?.pause?.groupIDs == [3])
    #expect(try frames(5, .pausedForPoorConnection).isEmpty)
    let resumed = try frames(3, .unpaused)
    #expect(resumed.map(\.type) == [.resume] && resumed.first?.pause?.groupIDs == [3])
  }

  @Test func `a browser receives bandwidth estimates less often than media measures them`() throws {
    let connection = try connection()
    let metrics = V1.SessionEvent.Event.mediaMetrics(.init(availableReceiveBitsPerSecond: 900_000))
    // The connection receives no video yet.
    #expect(try told(metrics, to: connection).isEmpty)
    try receive(3, connection)
    let rates = try told(metrics, to: connection)
    #expect(rates.map(\.type) == [.bitrates])
    #expect(rates.first?.bitrates?.serverAvailableOutgoingBitrate == 900)
    #expect(rates.first?.bitrates?.bitrates.map(\.sourceStreamID) == [13, 14, 15])
    #expect(try told(metrics, to: connection).isEmpty)
  }

  @Test func `a browser learns that the server has ended the browser's camera, and why`() throws {
    let status = V1.Status(Status(.permissionDenied, "This attendee may not send video."))
    let ended = V1.PublishedVideoEnded(tileID: 3, kind: .camera, status: status)
    let frames = try told(.publishedVideoEnded(ended), to: connection())
    #expect(frames.map(\.type) == [.notification] && frames.first?.error?.status == 206)
    #expect(frames.first?.error?.description == "This attendee may not send video.")
  }
}
