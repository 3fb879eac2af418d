import RTP
import TestSupport
import VPX
import WebRTC
import Wire
import ZeroMQ

/// A browser that sends a camera. The pictures are noise, encoded as VP8 in real time.
final class FilmingBrowser {
  /// The time between two pictures, in milliseconds. The camera sends about 15 pictures per second.
  static let intervalMs = 66

  private static let (width, height) = (640, 360)
  private static let bitsPerSecond = 600_000

  /// The browser sends a keep-alive message after this number of pictures, about every 5 s.
  private static let picturesOfPing = 75

  private let browser: JoiningBrowser
  private let pictures: [I420Picture]
  private var encoder: VP8Encoder
  private var packetizer = VP8Packetizer(maximumPayloadBytes: 1_150)
  private var filmed = 0
  private var needsKeyFrame = true

  var isReady: Bool { browser.peer.isReady }

  init(
    _ attendee: V1.AttendeeRecord, at gateway: Installation.Gateway, _ identity: DTLSIdentity,
    on thread: SocketThread
  ) throws {
    encoder = try VP8Encoder(
      .init(
        width: Self.width, height: Self.height, bitsPerSecond: Self.bitsPerSecond,
        framesPerSecond: 1_000 / Self.intervalMs))
    pictures = Self.makePictures()
    browser = try JoiningBrowser(attendee, at: gateway, identity, .sends, on: thread)
    browser.peer.onKeyFrameRequest = { [unowned self] in needsKeyFrame = true }
  }

  /// Encodes and sends the next picture.
  func film() {
    guard isReady, !pictures.isEmpty else { return }
    filmed += 1
    if filmed.isMultiple(of: Self.picturesOfPing) { browser.ping() }
    let ticks = Self.intervalMs * VP8Encoder.clockRate / 1_000
    let frame = try? encoder.encode(
      pictures[filmed % pictures.count], timestamp: Int64(filmed * ticks), duration: ticks,
      forcingKeyFrame: needsKeyFrame)
    guard let frame else { return }
    if frame.isKeyFrame { needsKeyFrame = false }
    let timestamp = UInt32(truncatingIfNeeded: filmed * ticks)
    packetizer.packetize(frame.bytes.span) { payload, isLast in
      let payload = payload.withUnsafeBufferPointer { Array($0) }
      browser.peer.sendVideo(payload, timestamp: timestamp, isLast: isLast)
    }
  }

  func advance() { browser.peer.advance() }

  func close() { browser.close() }

  /// Returns eight pictures of weak noise.
  private static func makePictures() -> [I420Picture] {
    var numbers = SeededGenerator(seed: 17)
    let chroma = I420Plane([UInt8](repeating: 128, count: width * height / 4), stride: width / 2)
    return (0..<8).compactMap { _ in
      let luma = (0..<(width * height)).map { _ in UInt8.random(in: 96..<112, using: &numbers) }
      return I420Picture(
        width: width, height: height, y: I420Plane(luma, stride: width), u: chroma, v: chroma)
    }
  }
}
