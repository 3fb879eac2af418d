import RTP
import SpeexDSP

/// One participant's speech on its way to transcription: 16 kHz, from a little before it is loud
/// enough to be speech until it has been quiet for a while.
///
/// The beginning of a word is quieter than the rest of it, so that what came shortly before is kept
/// and told with the first frame.
final class TalkRecorder {
  /// Whether a talk has begun and not ended.
  private(set) var isTalking = false

  private var resampler: Resampler
  private var output = [Int16](repeating: 0, count: frameSize)
  private var recent = [Int16](repeating: 0, count: recentFrames * frameSize)
  private var recentCount = 0
  private var quietTicks = 0

  /// Samples of a tick at 16 kHz.
  private static let frameSize = 320

  /// What is kept of the time before a talk: 300 ms.
  private static let recentFrames = 15

  init() throws(SpeexError) { resampler = try Resampler(from: 48_000, to: 16_000) }

  /// Takes a frame, and tells what belongs to a talk.
  ///
  /// - Parameters:
  ///   - frame: 20 ms of one channel at 48 kHz.
  ///   - time: When it was spoken.
  ///   - body: Told samples, and when the first of them was spoken.
  func take(
    _ frame: [Int16], _ loudness: Loudness, at time: MediaTime,
    _ body: (Span<Int16>, MediaTime) -> Void
  ) {
    if loudness >= (isTalking ? SpeakerRules.stay : SpeakerRules.entry) {
      quietTicks = 0
      if !isTalking { begin(at: time, body) }
    } else {
      quietTicks += 1
    }
    var room = output.mutableSpan
    guard let (_, produced) = try? resampler.process(frame.span, into: &room) else { return }
    if isTalking {
      let output = output
      body(output.span.extracting(0..<produced), time)
    } else {
      keep(produced)
    }
  }

  /// A tick without a frame, such as in a pause that is not sent (DTX).
  func pause() { quietTicks += 1 }

  /// Whether the talk has been quiet for so long that it is over.
  var isOver: Bool { isTalking && quietTicks > SpeakerRules.hangoverTicks }

  /// The talk is over, or there is a gap: what was kept does not belong to what follows.
  func end() {
    if isTalking || recentCount > 0 { resampler.reset() }
    (isTalking, recentCount, quietTicks) = (false, 0, 0)
  }

  private func begin(at time: MediaTime, _ body: (Span<Int16>, MediaTime) -> Void) {
    isTalking = true
    guard recentCount > 0 else { return }
    let start = time.advanced(byUs: -Int64(recentCount) * 1_000 / 16)
    let recent = recent
    body(recent.span.extracting(0..<recentCount), start)
    recentCount = 0
  }

  /// Keeps a frame, and no more than fit.
  private func keep(_ count: Int) {
    let excess = recentCount + count - recent.count
    if excess > 0 {
      for index in excess..<recentCount { recent[index - excess] = recent[index] }
      recentCount -= excess
    }
    for index in 0..<count { recent[recentCount + index] = output[index] }
    recentCount += count
  }
}
