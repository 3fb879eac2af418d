import Foundation
import TestSupport

/// Words that a transcription gets wrong, beside the same engine alone on the clean recordings, and what it
/// takes of the processor. Speech goes through Opus, media's jitter buffers and decoders, and the segmentation
/// of transcription.
///
/// One round, however many are asked for: what is said and heard hardly differs from one to the next.
struct SpeechRecognition: Benchmark {
  let options: Options
  let name = "transcription"
  var names: [String] { ["\(name).wer", "\(name).cpu"] }

  func measure() async throws -> [Row] {
    try await withTemporaryDirectory { directory in
      var recordings: [Recording] = []
      for spoken in SpokenSentences.all {
        recordings.append(try await Recording.make(spoken, options, in: directory))
      }
      await leaveActors()
      let alone = try EngineAlone.hear(recordings, in: directory)
      let through = try await TranscribedMeeting.hold(recordings)
      return rows(recordings, alone, through)
    }
  }

  private func rows(
    _ recordings: [Recording], _ alone: EngineAlone, _ through: TranscribedMeeting
  ) -> [Row] {
    let rate = SpokenSentences.errorRate(of: through.texts, wordErrorRate)
    let direct = SpokenSentences.errorRate(of: alone.texts, wordErrorRate)
    tell(rate - direct, through)
    let seconds = recordings.map(\.seconds).reduce(0, +)
    let used = through.used
    let share = used.media - through.mediaAlone
    /// `value` in seconds of processor time for all speech, `peerValue` for a second of it.
    func row(_ part: String, _ value: Double, _ peer: String?, _ peerValue: Double?) -> Row {
      Row(
        name: "\(name).cpu\(part)", unit: "ms/s", peer: peer,
        samples: [
          .init(value: 1_000 * value / seconds, peerValue: peerValue.map { 1_000 * $0 })
        ])
    }
    return [
      Row(
        name: "\(name).wer", unit: "errors/word", peer: "direct",
        samples: [.init(value: rate, peerValue: direct)], bar: .atMostAbove(0.05)),
      row("", used.engine + used.transcription + share, "direct", alone.used),
      row(".engine", used.engine, "direct", alone.used),
      row(".transcription", used.transcription, nil, nil),
      row(".media", used.media, "media-alone", through.mediaAlone / seconds),
    ]
  }

  private func tell(_ difference: Double, _ through: TranscribedMeeting) {
    for (spoken, heard) in zip(SpokenSentences.all, through.texts) {
      say("\(spoken.voice): \(String(format: "%.3f", wordErrorRate(heard, spoken.text))) \(heard)")
    }
    say("transcription.wer: \(String(format: "%+.3f", difference)) beside the direct run")
    if through.dropped > 0 { say("\(through.dropped) ms of speech were dropped") }
  }
}
