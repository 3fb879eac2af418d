import MeetingModel
import RTP
import TestSupport
import VPX
import WebRTC
import Wire
import ZeroMQ

/// A browser that shows the camera of another browser. The browser decodes the camera's pictures.
final class ViewingBrowser {
  private let browser: JoiningBrowser
  private var cameras: [UInt32] = []
  private var assembler = FrameAssembler(.vp8)
  private var decoder: VP8Decoder
  private let origin = ContinuousClock.now
  private var subscribed: ContinuousClock.Instant?

  /// The time from the SUBSCRIBE to the camera until the first decoded picture; `nil` before this
  /// picture.
  private(set) var time: Duration?

  /// Whether the browser is connected and can subscribe to a camera.
  var isReady: Bool { browser.peer.isReady && !cameras.isEmpty }

  init(
    _ attendee: V1.AttendeeRecord, at gateway: Installation.Gateway, _ identity: DTLSIdentity,
    on thread: SocketThread
  ) throws {
    decoder = try VP8Decoder()
    browser = try JoiningBrowser(attendee, at: gateway, identity, on: thread)
    browser.keepsListening = true
    browser.onCameras = { [unowned self] streams in cameras = streams.compactMap(\.streamID) }
    browser.peer.onVideoPacket = { [unowned self] packet in take(packet) }
  }

  /// Subscribes to the camera.
  func subscribe() throws {
    guard let camera = cameras.first else { throw BenchError.missing("A camera in the INDEX") }
    browser.peer.video = .receives()
    subscribed = .now
    browser.subscribe(to: [camera])
  }

  private func take(_ bytes: [UInt8]) {
    guard time == nil, let subscribed, let packet = RTPPacket(bytes.span) else { return }
    let now = MonotonicTime(microseconds: Int64((ContinuousClock.now - origin) / .microseconds(1)))
    assembler.insert(packet, bytes.span, at: now)
    while assembler.next(at: now) != nil {
      let picture = try? decoder.decode(assembler.data.span)
      if picture != nil { time = .now - subscribed }
    }
  }

  func advance() { browser.peer.advance() }

  func close() { browser.close() }
}
