/// A clock for tests. A test specifies each instant, and no real time passes.
public struct Clock: Sendable {
  /// The start of the test.
  public let start = ContinuousClock.now

  public init() {}

  /// The instant at this time after the start.
  public subscript(_ elapsed: Duration) -> ContinuousClock.Instant { start + elapsed }
}
