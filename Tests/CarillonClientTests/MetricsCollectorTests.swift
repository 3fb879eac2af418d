import Foundation
import Testing

@testable import CarillonClientCore

struct MetricsCollectorTests {
  /// Covers rule 50 of the conformance list for `AudioVideoFacade`.
  @Test
  func `each report has session and content metrics, and reports are more than a second apart`()
    async
  {
    let time = ManualTime()
    let recorder = Recorder()
    let board = MetricsCollector(uptimeMs: { time.nowMs })
    let observer = MetricsList()
    board.observers.add(observer)
    board.take([.videoSendFps: 15], from: .session)
    time.advance(byMs: 1000)
    board.take([.videoSendFps: 14], from: .session)
    time.advance(byMs: 1)
    board.take([.contentShareVideoSendFps: 5], from: .content)
    board.take([.videoSendFps: 13], from: .session)
    board.forget(.content)
    time.advance(byMs: 1001)
    board.take([.videoSendRttMs: 9], from: .session)
    _ = await recorder.lines()
    #expect(
      observer.emitted == [
        [.videoSendFps: 14, .contentShareVideoSendFps: 5], [.videoSendRttMs: 9],
      ])
  }
}

private final class MetricsList: MetricsObserver {
  // The main thread writes the metrics. The test reads them after it has waited for the main queue.
  nonisolated(unsafe) var emitted: [[ObservableMetric: Double]] = []

  func metricsDidReceive(metrics: [AnyHashable: Any]) {
    let named = metrics as? [ObservableMetric: Any]
    emitted.append(named?.compactMapValues { $0 as? Double } ?? [:])
  }
}
