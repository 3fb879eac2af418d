internal import LocalInstallation
internal import MeetingModel
package import MeetingViews
package import Output
internal import Synchronization
package import Wire

/// A client that joins a meeting as a browser does, with signaling frames over WebSocket.
package final class BrowserClient: Sendable {
  package typealias Frame = Signaling.SdkSignalFrame

  /// All received frames. The journal closes when the connection closes.
  package let journal = ObservedEventLog<Frame>()
  private let url: String
  private let token: String
  private let socket = WebSocketClient()
  private let reading = Mutex<Task<Void, Never>?>(nil)

  /// The text before the join token in the list of sub-protocols.
  private static let marker = "_aws_wt_session"
  private static let limit = Duration.seconds(20)

  /// The longest time for which a read may delay the next frame to send.
  private static let turn = Duration.milliseconds(20)

  /// - Parameter url: The meeting's signaling URL, `ws://HOST:PORT/control/MEETING_ID`.
  package init(url: String, token: String) { (self.url, self.token) = (url, token) }

  /// Connects, and records all frames that arrive afterwards in ``journal``.
  ///
  /// - Throws: ``CommandFailure`` if the URL does not have the form that ``init(url:token:)``
  ///   requires; `HTTPError` if the upgrade fails.
  package func connect() async throws {
    guard let (address, path) = Self.place(url) else {
      throw CommandFailure.precondition("\(url) is no ws://HOST:PORT/control/MEETING_ID.")
    }
    try await socket.open(
      address, path: path, protocols: [Self.marker, token], within: Self.limit)
    let (socket, journal) = (socket, journal)
    reading.withLock { task in
      task = Task {
        while !Task.isCancelled, let message = try? await Self.next(from: socket) {
          let frame = message.isEmpty ? nil : try? Frame(packed: message)
          if let frame { journal.record(frame) }
        }
        journal.close()
      }
    }
  }

  /// Returns the frame in the next message; empty if no message has arrived.
  private static func next(from socket: WebSocketClient) async throws(HTTPError) -> [UInt8] {
    Array((try await socket.receive(within: turn) ?? []).dropFirst())
  }

  /// Closes the connection without leaving the meeting. Make no other call after this call.
  package func hangUp() async {
    let task = reading.withLock { $0 }
    task?.cancel()
    await task?.value
    await socket.close()
  }

  /// Returns the host and path of a signaling URL.
  static func place(_ url: String) -> (HTTPAddress, path: String)? {
    guard url.hasPrefix("ws://") else { return nil }
    let rest = url.dropFirst("ws://".count)
    guard let slash = rest.firstIndex(of: "/"),
      let address = HTTPAddress(url: "http://\(rest[..<slash])")
    else { return nil }
    return (address, String(rest[slash...]))
  }

  // MARK: Sending

  /// Sends a frame with the current time.
  package func send(
    _ kind: Frame.Kind, _ fill: (inout Frame) -> Void = { _ in }
  ) async throws {
    var frame = Frame(timestampMs: WallClock.nowMs, type: kind)
    fill(&frame)
    try await socket.send([5] + frame.packed(), within: Self.limit)
  }

  /// Joins as a new client.
  ///
  /// - Parameter wantsMedia: Whether the client requests media.
  package func join(wantsMedia: Bool = false) async throws {
    let session = UInt64.random(in: 1...UInt64(UInt32.max))
    try await send(.join) { frame in
      frame.join = .init(
        protocolVersion: 2, flags: 2, audioSessionID: session, wantsNoMedia: !wantsMedia)
    }
  }

  /// Sends SUBSCRIBE with the offer of an unmuted client without video, and waits for the answer.
  ///
  /// - Parameters:
  ///   - offer: The offer (SDP).
  ///   - audioHost: `MediaPlacement.AudioHostUrl` of the meeting.
  /// - Returns: The answer (SDP).
  package func subscribe(_ offer: String, audioHost: String) async throws -> String {
    let mark = journal.count
    try await send(.subscribe) { frame in
      frame.sub = .init(
        duplex: .rx, sdpOffer: offer, audioHost: audioHost, audioCheckin: true, audioMuted: false)
    }
    let answer = try await hear("its offer is answered", since: mark) { $0.type == .subscribeAck }
    guard let sdp = answer.suback?.sdpAnswer else {
      throw CommandFailure(
        code: "INVALID_ARGUMENT", message: "The answer to a browser's offer contains no SDP.")
    }
    return sdp
  }

  /// Sends a data message.
  package func write(_ text: String, on topic: String) async throws {
    try await send(.dataMessage) {
      $0.dataMessage = .init(messages: [.init(topic: topic, data: Array(text.utf8))])
    }
  }

  /// Sends LEAVE. The server answers with LEAVE_ACK.
  package func leave() async throws { try await send(.leave) { $0.leave = .init() } }

  // MARK: Receiving

  /// Waits for a frame.
  ///
  /// - Parameter mark: The number of frames to skip.
  /// - Throws: ``CommandFailure`` if no frame arrives in time, or if the connection ends before a
  ///   frame arrives.
  @discardableResult
  package func hear(
    _ what: String, since mark: Int = 0, within limit: Duration = .seconds(20),
    where matches: @escaping @Sendable (Frame) -> Bool
  ) async throws(CommandFailure) -> Frame {
    if let entry = await journal.first(from: mark, until: .now + limit, where: matches) {
      return entry.event
    }
    let kinds = journal.entries(from: mark).map { "\($0.event.type)" }
    throw CommandFailure(
      code: "DEADLINE_EXCEEDED",
      message: "A browser did not hear within \(limit) that \(what); there were \(kinds).")
  }

  /// The names of the present attendees, computed from all frames.
  package var roster: Set<String> {
    var names: [UInt32: String] = [:]
    for stream in frames.flatMap({ $0.audioStreamIDInfo?.streams ?? [] }) {
      guard let number = stream.audioStreamID else { continue }
      if let name = stream.externalUserID {
        names[number] = name
      } else if stream.muted == nil {
        names[number] = nil
      }
    }
    return Set(names.values)
  }

  /// Returns the texts of all data messages on a topic from other attendees.
  package func texts(on topic: String) -> [String] {
    frames.flatMap { $0.dataMessage?.messages ?? [] }
      .filter { $0.topic == topic && $0.ingestTimeNs != 0 }
      .map { String(decoding: $0.data ?? [], as: UTF8.self) }
  }

  /// All frames received so far.
  package var frames: [Frame] { journal.entries(from: 0).map(\.event) }
}
