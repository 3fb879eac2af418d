/// The parameters of a token bucket: a steady rate and a burst.
public struct RateLimit: Hashable, Sendable {
  /// The tokens added per second.
  public var perSecond: Int

  /// The capacity of the bucket in tokens.
  public var burst: Int

  /// Creates a limit.
  public init(perSecond: Int, burst: Int) {
    self.perSecond = perSecond
    self.burst = burst
  }
}
