/// A reader's position in a numbered stream, and its judgement of arriving events.
///
/// A value without a clock or a socket, which finds every gap.
public struct StreamCursor: Hashable, Sendable {
  /// The numbering that ``sequence`` belongs to.
  public private(set) var epoch: UInt64

  /// The number of the last event that was taken.
  public private(set) var sequence: UInt64

  /// Makes a cursor positioned after this event.
  public init(epoch: UInt64, sequence: UInt64) {
    self.epoch = epoch
    self.sequence = sequence
  }

  /// The action for an event.
  public enum Verdict: Hashable, Sendable {
    /// It is the next one; the cursor has moved to it.
    case take
    /// It was already taken.
    case skip
    /// Events before it are missing, or its epoch differs: catch up.
    case catchUp
  }

  /// Judges the next event, and moves past it if it is to be taken.
  public mutating func arrive(epoch: UInt64, sequence: UInt64) -> Verdict {
    guard epoch == self.epoch else { return .catchUp }
    guard sequence > self.sequence else { return .skip }
    guard sequence == self.sequence + 1 else { return .catchUp }
    self.sequence = sequence
    return .take
  }

  /// Returns whether the owner, according to its beacon, has published events that were not taken
  /// here.
  public func isBehind(epoch: UInt64, lastSequence: UInt64) -> Bool {
    epoch != self.epoch || lastSequence > sequence
  }
}
