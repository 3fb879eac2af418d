import ServiceHost
import Testing

@testable import Transcription

@Suite struct TranscriptionMetricsTests {
  private let registry = MetricsRegistry()

  @Test func `the metrics count dropped speech in seconds, exact to one sample`() {
    let metrics = TranscriptionMetrics(in: registry)
    var state = Transcriptions(
      TranscriptionRules(), instance: "transcription-a", seed: "metrics",
      at: ClockReading(instant: .now, milliseconds: epoch))
    for samples: UInt64 in [24_000, 8, 0] {
      state.droppedSamples = samples
      metrics.update(&state)
    }
    let text = registry.prometheusText()
    #expect(text.contains("carillon_transcription_dropped_seconds_total 1.5005\n"))
    #expect(text.contains("carillon_transcription_backlog_seconds 0\n"))
  }
}
