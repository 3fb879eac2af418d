/// The packet counters of a ``JitterBuffer`` since its creation.
public struct JitterBufferCounters: Hashable, Sendable {
  /// All received packets.
  public var received = 0
  /// Packets that were missing at their turn, even if they arrived later.
  public var lost = 0
  /// Concealed packets: packets that the decoder synthesized without data, to replace lost or late
  /// packets or to delay all later packets.
  public var concealed = 0
  /// Lost packets that the buffer recovered from a copy in a later packet.
  public var recovered = 0
  /// Packets that arrived after their turn.
  public var late = 0
  /// Duplicate packets.
  public var duplicate = 0
  /// Packets that arrived in time, but that the buffer skipped or shortened because too many
  /// packets waited.
  public var discarded = 0
  /// Packets that were too long, or had an implausible number.
  public var refused = 0

  /// Creates counters at zero.
  public init() {}
}
