internal import MeetingModel

/// Numbers for the epochs of streams whose numbering does not outlive the process.
///
/// Microseconds since 1970, so that a restart has others, and rising, so that any two streams
/// differ.
public struct EpochSource: Sendable {
  private var last: UInt64 = 0

  /// Makes a source; one for each process is enough.
  public init() {}

  /// A number that no stream had before.
  public mutating func next() -> UInt64 {
    last = max(last + 1, WallClock.nowUs)
    return last
  }
}
