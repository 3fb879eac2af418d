import Foundation
import Synchronization
import TestSupport
import Trials
import ZeroMQ

@testable import CarillonClientCore
@testable import CarillonClientMedia

/// The reports that one client gets from its media engine.
final class MediaEar: MediaEngineDelegate {
  struct Seen: Hashable, Sendable {
    var tileId: Int
    var width: Int
    var height: Int
    var number: Int?
    var rotation = VideoRotation.rotation0
  }

  let seen = AwaitableEntryList<Seen>()
  /// The tile id, the width and the height of each frame that the engine does not decode.
  let encoded = AwaitableEntryList<[Int]>()
  let figures = AwaitableEntryList<[ObservableMetric: Double]>()
  let qualities = AwaitableEntryList<Bool>()
  let losses = AwaitableEntryList<Bool>()
  /// For each admission of the client, the time that media took, in milliseconds.
  let paths = AwaitableEntryList<Int64>()
  /// One entry for each interruption of the sound.
  let interruptions = AwaitableEntryList<Int>()

  func mediaDidReceive(_ frame: VideoFrame, of tileId: Int) {
    seen.append(
      Seen(
        tileId: tileId, width: frame.width, height: frame.height,
        number: FrameCounter.read(frame.buffer), rotation: frame.rotation))
  }

  func mediaDidReceiveEncoded(width: Int, height: Int, of tileId: Int) {
    encoded.append([tileId, width, height])
  }

  func mediaDidMeasure(_ figures: [ObservableMetric: Double]) { self.figures.append(figures) }
  func mediaQualityDidChange(isPoor: Bool) { qualities.append(isPoor) }
  func mediaConnectionDidChange(isLost: Bool) { losses.append(isLost) }
  func mediaPathDidOpen(afterMs durationMs: Int64) { paths.append(durationMs) }
  func audioWasInterrupted() { interruptions.append(paths.entries.count) }
}

/// Records all received samples.
final class HeardSamples: AudioSink {
  let pieces = AwaitableEntryList<[Int16]>()

  func write(_ samples: Span<Int16>, channels: Int) {
    var piece: [Int16] = []
    for index in stride(from: 0, to: samples.count, by: channels) { piece.append(samples[index]) }
    pieces.append(piece)
  }

  var samples: [Int16] { pieces.entries.flatMap(\.self) }
}

/// Two clients of one scripted service. The service sends the streams of `a` to `b`.
struct MediaFixture {
  let media: ScriptedMedia
  let context: ZMQContext
  let thread: SocketThread
  let path: String
  let a: RTPMediaEngine
  let b: RTPMediaEngine
  let earA = MediaEar()
  let earB = MediaEar()
  let heard: HeardSamples

  static let ticketA = [UInt8](repeating: 0xA1, count: 16)
  static let ticketB = [UInt8](repeating: 0xB1, count: 16)

  static func format(_ sent: UInt32, _ received: UInt32) -> MediaRTPParameters {
    MediaRTPParameters(
      opus: 111, vp8: 96, h264: 102, levelExtension: 1, audioSent: sent, audioReceived: received,
      maxPacketBytes: 1200)
  }

  func place(_ ticket: [UInt8], at path: String? = nil, term: UInt64 = 1) -> MediaEndpoint {
    MediaEndpoint(
      endpoint: "ipc://\(path ?? self.path)", ticket: ticket, term: term,
      format: ticket == Self.ticketA ? Self.format(11, 12) : Self.format(21, 22))
  }

  static let layers = [
    VideoPublication.Layer(
      ssrc: 101, width: 320, height: 180, framesPerSecond: 15, bitsPerSecond: 150_000),
    VideoPublication.Layer(
      ssrc: 102, width: 640, height: 360, framesPerSecond: 30, bitsPerSecond: 500_000),
    VideoPublication.Layer(
      ssrc: 103, width: 1280, height: 720, framesPerSecond: 30, bitsPerSecond: 1_400_000),
  ]

  static let publication = VideoPublication(
    number: 1, isContent: false, hint: .motion, layers: layers)

  static let route = ScriptedMedia.Route(from: ticketA, ssrc: 11, to: ticketB, as_: 22)
}

/// Runs a test with two clients and their service, and closes the clients and the service
/// afterwards.
func withMedia(
  saying source: any AudioSource = SilenceSource(), ignoring ignored: Int = 0,
  settings: SessionMediaSettings = SessionMediaSettings(),
  _ body: (MediaFixture) async throws -> Void
) async throws {
  try await withTemporaryDirectory { directory in
    let context = try ZMQContext()
    let server = SocketThread(name: "test-media")
    let clients = SocketThread(name: "test-clients")
    let log = SessionLogger(logger: ConsoleLogger(name: "test"))
    let heard = HeardSamples()
    let fixture = MediaFixture(
      media: ScriptedMedia(on: server), context: context, thread: clients,
      path: directory + "/media",
      a: RTPMediaEngine(audio: MediaAudio(source: source), in: context, on: clients, log: log),
      b: RTPMediaEngine(audio: MediaAudio(sink: heard), in: context, on: clients, log: log),
      heard: heard)
    try await fixture.media.open(
      at: .ipc(fixture.path), in: context, ignoring: ignored)
    fixture.a.begin(telling: fixture.earA, settings)
    fixture.b.begin(telling: fixture.earB, settings)
    let result: Result<Void, any Error>
    do { result = .success(try await body(fixture)) } catch { result = .failure(error) }
    fixture.a.end()
    fixture.b.end()
    await fixture.a.ended()
    await fixture.b.ended()
    await fixture.media.close()
    clients.stop()
    clients.join()
    server.stop()
    server.join()
    try result.get()
  }
}
