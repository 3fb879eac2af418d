/// The statistics of one meeting. Events carry these statistics. Times are in milliseconds of a
/// monotonic clock.
struct MeetingStatistics: Sendable {
  var maxVideoTileCount = 0
  var retryCount = 0
  var poorConnectionCount = 0
  var connectingTimeMs: Int64?
  var connectedTimeMs: Int64?
  var dropTimeMs: Int64?
  var reconnectedTimeMs: Int64?

  /// Returns the attributes at the given time. A duration that has not begun, or has not ended, is
  /// 0.
  func attributes(atMs now: Int64) -> [EventAttributeName: Any] {
    [
      .maxVideoTileCount: maxVideoTileCount,
      .retryCount: retryCount,
      .poorConnectionCount: poorConnectionCount,
      .meetingStartDurationMs: duration(from: connectingTimeMs, to: connectedTimeMs),
      .meetingDurationMs: duration(from: connectedTimeMs, to: now),
    ]
  }

  /// The duration of the last interruption, in milliseconds.
  var reconnectDurationMs: Int64 { duration(from: dropTimeMs, to: reconnectedTimeMs) }

  private func duration(from start: Int64?, to end: Int64?) -> Int64 {
    guard let start, let end else { return 0 }
    return max(end - start, 0)
  }
}
