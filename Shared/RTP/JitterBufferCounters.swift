/// What went through a ``JitterBuffer`` since it was made, in packets.
public struct JitterBufferCounters: Hashable, Sendable {
  /// Came in, whatever became of them.
  public var received = 0
  /// Missing when their time had come, whether or not they came later.
  public var lost = 0
  /// Made up for, without anything that was sent: lost ones and ones that came after their time.
  public var concealed = 0
  /// Lost, and rebuilt from the copy in the packet after them.
  public var recovered = 0
  /// Came when their time had passed.
  public var late = 0
  /// Came twice.
  public var duplicate = 0
  /// Came in time and were skipped, or merged with the next, as too many waited.
  public var discarded = 0
  /// Too long, or with a number far from the others.
  public var refused = 0

  public init() {}
}
