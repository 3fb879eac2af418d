import RTP
import SpeexDSP

/// One participant's speech for transcription, at 16 kHz.
///
/// A talk starts shortly before the sound is loud enough to be speech. The talk ends after the
/// sound has been quiet for 400 ms. The beginning of a word is quieter than the rest, so the
/// recorder keeps recent sound, and reports this sound with the first frame.
final class TranscriptionSpeechRecorder {
  /// Whether a talk has begun and has not ended.
  private(set) var isTalking = false

  private var resampler: Resampler
  private var output = [Int16](repeating: 0, count: frameSize)
  private var recent = [Int16](repeating: 0, count: recentFrames * frameSize)
  private var recentCount = 0
  private var quietTicks = 0

  /// The samples of a tick at 16 kHz.
  private static let frameSize = 320

  /// How many of the frames directly before a talk the recorder keeps: 300 ms.
  private static let recentFrames = 15

  init() throws(SpeexError) { resampler = try Resampler(from: 48_000, to: 16_000) }

  /// Records a frame, and reports samples that belong to a talk.
  ///
  /// - Parameters:
  ///   - frame: 20 ms of one channel at 48 kHz.
  ///   - time: The time at which the talker spoke the frame.
  ///   - body: Called with samples, and with the time at which the talker spoke the first sample.
  func take(
    _ frame: [Int16], _ loudness: Loudness, at time: MonotonicTime,
    _ body: (Span<Int16>, MonotonicTime) -> Void
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

  /// Counts a tick without a frame, for example a tick of a pause in which the talker's client
  /// sends no packets (DTX).
  func pause() { quietTicks += 1 }

  /// Whether the talk has been quiet for longer than ``SpeakerRules/hangoverTicks``, and so has
  /// ended.
  var isOver: Bool { isTalking && quietTicks > SpeakerRules.hangoverTicks }

  /// Ends the talk. Discards the kept sound, because there is a gap before the next sound.
  func end() {
    if isTalking || recentCount > 0 { resampler.reset() }
    (isTalking, recentCount, quietTicks) = (false, 0, 0)
  }

  private func begin(at time: MonotonicTime, _ body: (Span<Int16>, MonotonicTime) -> Void) {
    isTalking = true
    guard recentCount > 0 else { return }
    let start = time.advanced(byUs: -Int64(recentCount) * 1_000 / 16)
    let recent = recent
    body(recent.span.extracting(0..<recentCount), start)
    recentCount = 0
  }

  /// Keeps a frame. If the buffer is full, drops the oldest samples.
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
