internal import MeetingModel

/// A source of epochs for streams whose numbering ends with the process.
///
/// Epochs are microseconds since 1970 and always rise. So two streams never have the same epoch,
/// even after a restart.
public struct StreamEpochSource: Sendable {
  private var last: UInt64 = 0

  /// Makes a source. A process needs only one source.
  public init() {}

  /// Returns an epoch that no earlier stream had.
  public mutating func next() -> UInt64 {
    last = max(last + 1, WallClock.nowUs)
    return last
  }
}
