/// What to play next, as a ``JitterBuffer`` says.
public enum Playout: Hashable, Sendable {
  /// A packet that a jitter buffer holds until the next call of `put` or `pull`.
  public struct Packet: Hashable, Sendable {
    let slot: Int
    /// Samples of one channel.
    public let sampleCount: Int
  }

  /// Decode it and play all of it.
  case packet(Packet)
  /// Too much waits: decode this one and the one that the next pull gives at once, and play both,
  /// faded into each other, in the time of one.
  case shortened(Packet)
  /// A packet was lost: rebuild it from its copy in this one, which comes next.
  case redundancy(in: Packet, sampleCount: Int)
  /// Nothing is there: make up for it.
  case concealment(sampleCount: Int)
  /// The sender is silent, or the first packets are being gathered.
  case nothing
}
