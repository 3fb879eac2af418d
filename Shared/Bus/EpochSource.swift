internal import MeetingModel

/// A source of epochs for streams whose numbering does not outlive the process.
///
/// Epochs are microseconds since 1970 and rising, so that epochs differ after a restart and between
/// any two streams.
public struct EpochSource: Sendable {
  private var last: UInt64 = 0

  /// Makes a source; one for each process is enough.
  public init() {}

  /// Returns an epoch that no stream had before.
  public mutating func next() -> UInt64 {
    last = max(last + 1, WallClock.nowUs)
    return last
  }
}
