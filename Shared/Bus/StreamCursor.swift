/// Where a reader is in a numbered stream, and what an arrival means for it.
///
/// A value without a clock or a socket: what finds every gap.
public struct StreamCursor: Hashable, Sendable {
  /// The numbering that ``sequence`` belongs to.
  public private(set) var epoch: UInt64

  /// The last event that was taken.
  public private(set) var sequence: UInt64

  /// Stands behind this event.
  public init(epoch: UInt64, sequence: UInt64) {
    self.epoch = epoch
    self.sequence = sequence
  }

  /// What to do with an event.
  public enum Verdict: Hashable, Sendable {
    /// It is the next one; the cursor has moved to it.
    case take
    /// It was seen.
    case skip
    /// Events are missing before it, or the numbering is another: catch up.
    case catchUp
  }

  /// Judges the next arrival, and moves past it when it is to be taken.
  public mutating func arrive(epoch: UInt64, sequence: UInt64) -> Verdict {
    guard epoch == self.epoch else { return .catchUp }
    guard sequence > self.sequence else { return .skip }
    guard sequence == self.sequence + 1 else { return .catchUp }
    self.sequence = sequence
    return .take
  }

  /// Whether the owner, by its beacon, has published what was not seen here.
  public func isBehind(epoch: UInt64, lastSequence: UInt64) -> Bool {
    epoch != self.epoch || lastSequence > sequence
  }
}
