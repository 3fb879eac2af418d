internal import Foundation

/// Numbers for the epochs of streams whose numbering does not outlive the process.
///
/// Microseconds since 1970, so that a restart has others, and rising, so that any two streams differ.
public struct EpochSource: Sendable {
  private var last: UInt64 = 0

  public init() {}

  public mutating func next() -> UInt64 {
    last = max(last + 1, UInt64(Date().timeIntervalSince1970 * 1_000_000))
    return last
  }
}
