import Foundation
import TestSupport

/// Measures the word error rate and the processor time of a transcription. Speech passes through
/// Opus, media's jitter buffers and decoders, and the segmentation of transcription. For
/// comparison, the benchmark measures the same engine alone on the clean recordings.
///
/// The benchmark always runs one round and ignores the option `--rounds`, because rounds hardly
/// differ.
struct SpeechRecognitionBenchmark: Benchmark {
  let options: MeasurementOptions
  let name = "transcription"
  var names: [String] { ["\(name).wer", "\(name).cpu"] }

  func measure() async throws -> [BenchmarkRow] {
    try await withTemporaryDirectory { directory in
      var recordings: [SpeechRecording] = []
      for spoken in SpokenSentences.all {
        recordings.append(try await SpeechRecording.make(spoken, options, in: directory))
      }
      await leaveActors()
      let alone = try EngineBaseline.hear(recordings, in: directory)
      let through = try await TranscriptionBenchmarkResult.hold(recordings)
      return rows(recordings, alone, through)
    }
  }

  private func rows(
    _ recordings: [SpeechRecording], _ alone: EngineBaseline,
    _ through: TranscriptionBenchmarkResult
  ) -> [BenchmarkRow] {
    let (heard, direct) = (through.heard, alone.heard)
    tell(through, beside: direct)
    let seconds = recordings.map(\.seconds).reduce(0, +)
    let used = through.used
    let share = used.media - through.mediaAlone
    /// Returns a row. `value` is the processor time for all speech, in seconds. `peerValue` is the
    /// peer's processor time for one second of speech, in seconds.
    func row(_ part: String, _ value: Double, _ peer: String?, _ peerValue: Double?) -> BenchmarkRow
    {
      BenchmarkRow(
        name: "\(name).cpu\(part)", unit: "ms/s", peer: peer,
        samples: [
          .init(value: 1_000 * value / seconds, peerValue: peerValue.map { 1_000 * $0 })
        ])
    }
    func words(_ part: String, _ errors: WordErrors, _ peer: WordErrors) -> BenchmarkRow {
      BenchmarkRow(
        name: "\(name).wer\(part)", unit: "errors/word", peer: "direct",
        samples: [.init(value: errors.rate, peerValue: peer.rate)],
        bar: part.isEmpty ? .atMostAbove(0.05) : nil)
    }
    return [
      words("", heard.errors, direct.errors),
      words(".first", heard.firstErrors, direct.firstErrors),
      words(".later", heard.laterErrors, direct.laterErrors),
      words(".each_first", alone.eachFirst, direct.errors),
      row("", used.engine + used.transcription + share, "direct", alone.used),
      row(".engine", used.engine, "direct", alone.used),
      row(".transcription", used.transcription, nil, nil),
      row(".media", used.media, "media-alone", through.mediaAlone / seconds),
    ]
  }

  private func tell(_ through: TranscriptionBenchmarkResult, beside direct: RecognizedSpeech) {
    let heard = through.heard
    for (spoken, (first, later)) in zip(SpokenSentences.all, zip(heard.first, heard.later)) {
      let errors = WordErrors.sum([
        (first, spoken.first), (later, spoken.later.joined(separator: " ")),
      ])
      say("\(spoken.voice): \(String(format: "%.3f", errors.rate)) \(first) | \(later)")
    }
    let difference = heard.errors.rate - direct.errors.rate
    say("transcription.wer: \(String(format: "%+.3f", difference)) beside the direct run")
    if through.dropped > 0 { say("\(through.dropped) ms of speech were dropped") }
  }
}
