import TestSupport
import WebRTC
import Wire
import ZeroMQ

/// A browser that joins a meeting. The browser exchanges the frames that a browser with the public
/// SDK exchanges, and then sends and receives sound and video over WebRTC.
final class JoiningBrowser {
  typealias Stream = Signaling.SdkStreamDescriptor

  let peer: BrowserPeer

  /// The time from the opening of the WebSocket to the first audio packet; `nil` before this
  /// packet.
  var time: Duration? { peer.firstPacket.map { $0 - start } }

  /// Called for each INDEX with the cameras of the meeting.
  var onCameras: ([Stream]) -> Void = { _ in }

  /// Whether the browser decodes frames after the answer to its first SUBSCRIBE. By default, it
  /// does not, because the decoding of the roster and its changes would take processor time from
  /// the services.
  var keepsListening = false

  private let start = ContinuousClock.now
  private let socket: SignalingSocket
  private var hasSubscribed = false
  private var isConnecting = false

  init(
    _ attendee: V1.AttendeeRecord, at gateway: Installation.Gateway, _ identity: DTLSIdentity,
    _ video: BrowserPeer.Video = .none, on thread: SocketThread
  ) throws {
    peer = try BrowserPeer(identity, video, on: thread)
    socket = try SignalingSocket(
      port: gateway.restPort, meeting: attendee.meetingID, token: attendee.joinToken, on: thread)
    socket.onOpen = { [unowned self] in join() }
    socket.onFrame = { [unowned self] frame in take(frame) }
  }

  private func join() {
    socket.send(.join) { frame in
      frame.join = .init(
        protocolVersion: 2, flags: 2, audioSessionID: UInt64.random(in: 1...UInt64(UInt32.max)))
    }
  }

  private func take(_ frame: SignalingSocket.Frame) {
    switch frame.type {
    case .index:
      onCameras(frame.index?.sources ?? [])
      if !hasSubscribed { subscribe() }
    case .subscribeAck:
      socket.isListening = keepsListening
      guard !isConnecting, let answer = frame.suback?.sdpAnswer else { return }
      isConnecting = true
      try? peer.connect(answer)
    default: break
    }
  }

  /// Subscribes to sound, and to the streams with these ids. The peer's ``BrowserPeer/video``
  /// decides whether the browser sends a camera.
  func subscribe(to streams: [UInt32] = []) {
    hasSubscribed = true
    var sent = [Stream(streamID: 1, trackLabel: "AmazonChimeExpressAudio", mediaType: .audio)]
    if case .sends = peer.video {
      sent.append(
        Stream(
          streamID: 2, framerate: 15, maxBitrateKbps: 600, trackLabel: "AmazonChimeExpressVideo",
          groupID: 2, mediaType: .video))
    }
    socket.send(.subscribe) { [peer] frame in
      frame.sub = .init(
        duplex: sent.count > 1 ? .duplex : .rx, sendStreams: sent, receiveStreamIDs: [0] + streams,
        sdpOffer: peer.offer, audioHost: "host", audioCheckin: false, audioMuted: false)
    }
  }

  /// Sends a keep-alive message. The gateway closes a connection without frames from the browser.
  func ping() {
    socket.send(.pingPong) { frame in frame.pingPong = .init(type: .ping, pingID: 1) }
  }

  func close() {
    peer.close()
    socket.close()
  }
}
