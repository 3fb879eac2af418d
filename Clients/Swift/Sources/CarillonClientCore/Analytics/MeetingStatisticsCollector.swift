import Synchronization

/// The collector of the current meeting's statistics.
final class MeetingStatisticsCollector: Sendable {
  private let uptimeMs: @Sendable () -> Int64
  private let statistics = Mutex(MeetingStatistics())

  init(uptimeMs: @escaping @Sendable () -> Int64) {
    self.uptimeMs = uptimeMs
  }

  func meetingIsConnecting() {
    let now = uptimeMs()
    statistics.withLock { $0.connectingTimeMs = now }
  }

  func meetingDidConnect() {
    let now = uptimeMs()
    statistics.withLock { $0.connectedTimeMs = now }
  }

  func meetingDidDrop() {
    let now = uptimeMs()
    statistics.withLock {
      $0.dropTimeMs = now
      $0.reconnectedTimeMs = nil
    }
  }

  func meetingDidReconnect() {
    let now = uptimeMs()
    statistics.withLock {
      $0.retryCount += 1
      $0.reconnectedTimeMs = now
    }
  }

  func connectionDidBecomePoor() {
    statistics.withLock { $0.poorConnectionCount += 1 }
  }

  func videoTileCountDidChange(to count: Int) {
    statistics.withLock { $0.maxVideoTileCount = max($0.maxVideoTileCount, count) }
  }

  /// Resets the statistics.
  func reset() {
    statistics.withLock { $0 = MeetingStatistics() }
  }

  /// Returns the statistics for an event named `name`; most events have no statistics.
  func attributes(for name: EventName) -> [EventAttributeName: Any] {
    guard carriesStatistics(name) else { return [:] }
    let statistics = statistics.withLock { $0 }
    var attributes = statistics.attributes(atMs: uptimeMs())
    if name == .meetingReconnected {
      attributes[.meetingReconnectDurationMs] = statistics.reconnectDurationMs
    }
    return attributes
  }

  private func carriesStatistics(_ name: EventName) -> Bool {
    switch name {
    case .meetingFailed, .meetingEnded, .meetingStartFailed, .meetingStartSucceeded,
      .meetingReconnected, .videoClientSignalingDropped, .contentShareSignalingDropped:
      true
    default:
      false
    }
  }
}
