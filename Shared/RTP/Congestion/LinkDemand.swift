/// A sender's demand on a link.
public struct LinkDemand: Hashable, Sendable {
  /// The rate that the sender can use, in bit/s; 0 if the sender has nothing to send.
  ///
  /// An estimate above this rate has no benefit.
  public var goal: Int

  /// Whether packets wait at the sender because the window is full.
  public var isBacklogged: Bool

  /// The bytes in flight.
  public var bytesInFlight: Int

  /// Creates a demand.
  public init(goal: Int, isBacklogged: Bool = false, bytesInFlight: Int = 0) {
    (self.goal, self.isBacklogged, self.bytesInFlight) = (goal, isBacklogged, bytesInFlight)
  }
}
