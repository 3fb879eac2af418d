/// Time for the tests: it passes when they say so.
public struct Clock: Sendable {
  /// When the test begins.
  public let start = ContinuousClock.now

  public init() {}

  /// So long after the start.
  public subscript(_ elapsed: Duration) -> ContinuousClock.Instant { start + elapsed }
}
