/// The instruction of a ``JitterBuffer`` for the next playout.
public enum Playout: Hashable, Sendable {
  /// A packet that a jitter buffer holds until the next call of `put` or `pull`.
  public struct Packet: Hashable, Sendable {
    let slot: Int
    /// The number of samples per channel.
    public let sampleCount: Int
  }

  /// Decode the packet and play all of it.
  case packet(Packet)
  /// Too many packets wait: decode this packet and that of the next pull, and play both,
  /// cross-faded, in the time of one.
  case shortened(Packet)
  /// A packet was lost: decode its copy in this packet, which is the next one.
  case redundancy(in: Packet, sampleCount: Int)
  /// No packet is available: conceal the gap.
  case concealment(sampleCount: Int)
  /// The sender is silent, or the first packets are still being gathered.
  case nothing
}
