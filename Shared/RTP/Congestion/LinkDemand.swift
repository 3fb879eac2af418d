/// What a sender has to do with a link.
public struct LinkDemand: Hashable, Sendable {
  /// What it would send if the link carried it, in bits per second: nothing is gained by a higher
  /// estimate. 0: it has nothing to send.
  public var goal: Int

  /// Packets wait at the sender because as much is under way as may be.
  public var isBacklogged: Bool

  /// Bytes that are under way.
  public var bytesInFlight: Int

  /// Makes one.
  public init(goal: Int, isBacklogged: Bool = false, bytesInFlight: Int = 0) {
    (self.goal, self.isBacklogged, self.bytesInFlight) = (goal, isBacklogged, bytesInFlight)
  }
}
