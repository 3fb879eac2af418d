/// What went through a ``JitterBuffer`` since it was made, in packets.
public struct JitterBufferCounters: Hashable, Sendable {
  /// Packets that came in, whatever became of them.
  public var received = 0
  /// Packets that were missing when their time had come, whether or not they came later.
  public var lost = 0
  /// Packets that were made up without anything that was sent: for lost ones, for late ones, and
  /// so that all that follow wait longer.
  public var concealed = 0
  /// Packets that were lost, and rebuilt from a copy in a packet after them.
  public var recovered = 0
  /// Packets that came when their time had passed.
  public var late = 0
  /// Packets that came twice.
  public var duplicate = 0
  /// Packets that came in time and were skipped, or merged with the next, as too many waited.
  public var discarded = 0
  /// Packets that were too long, or had a number far from the others.
  public var refused = 0

  /// Counts nothing yet.
  public init() {}
}
