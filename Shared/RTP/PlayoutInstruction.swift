/// The instruction of a ``JitterBuffer`` for the next playout.
public enum PlayoutInstruction: Hashable, Sendable {
  /// A packet that a jitter buffer keeps until the next call of `put` or `pull`.
  public struct Packet: Hashable, Sendable {
    let slot: Int
    /// The number of samples per channel.
    public let sampleCount: Int
  }

  /// Decode the packet and play all of it.
  case packet(Packet)
  /// Too many packets wait. Decode this packet and the packet of the next pull. Cross-fade the two
  /// packets, and play them in the time of one packet.
  case shortened(Packet)
  /// A packet is missing. Decode its copy, which the next packet of the stream contains.
  case redundancy(in: Packet, sampleCount: Int)
  /// No packet is available: conceal the gap.
  case concealment(sampleCount: Int)
  /// The sender is silent, or the buffer still collects the first packets.
  case nothing
}
