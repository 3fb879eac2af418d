/// A token bucket's size: what may come steadily, and what may come at once.
public struct RateLimit: Hashable, Sendable {
  /// Tokens that flow in, per second.
  public var perSecond: Int

  /// Tokens that the bucket holds when full.
  public var burst: Int

  /// Makes a limit; both are numbers of tokens.
  public init(perSecond: Int, burst: Int) {
    self.perSecond = perSecond
    self.burst = burst
  }
}
