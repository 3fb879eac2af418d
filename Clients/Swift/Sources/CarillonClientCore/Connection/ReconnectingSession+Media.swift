/// Handles the reports of the session's media engine.
extension ReconnectingSession: MediaEngineDelegate {
  nonisolated func mediaDidReceive(_ frame: VideoFrame, of tileId: Int) {
    delegate.videoDidArrive(frame, of: tileId)
  }

  nonisolated func mediaDidReceiveEncoded(width: Int, height: Int, of tileId: Int) {
    delegate.encodedVideoDidArrive(width: width, height: height, of: tileId)
  }

  nonisolated func mediaDidMeasure(_ figures: [ObservableMetric: Double]) {
    delegate.mediaWasMeasured(figures)
  }

  nonisolated func mediaPathDidOpen(afterMs durationMs: Int64) {
    delegate.mediaPathDidOpen(afterMs: durationMs)
  }

  nonisolated func audioWasInterrupted() { delegate.audioWasInterrupted() }

  nonisolated func mediaQualityDidChange(isPoor: Bool) {
    Task(executorPreference: thread) { await self.mediaQualityDidChange(to: isPoor) }
  }

  nonisolated func mediaConnectionDidChange(isLost: Bool) {
    Task(executorPreference: thread) { await self.mediaDidStop(isLost) }
  }
}
