/// A reader's position in a numbered stream. The position determines what the reader does with each
/// event.
///
/// The cursor is a value without a clock or a socket. It detects every gap.
public struct StreamCursor: Hashable, Sendable {
  /// The epoch of ``sequence``.
  public private(set) var epoch: UInt64

  /// The number of the last event that the reader took.
  public private(set) var sequence: UInt64

  /// Makes a cursor positioned after this event.
  public init(epoch: UInt64, sequence: UInt64) {
    self.epoch = epoch
    self.sequence = sequence
  }

  /// The action for an event.
  public enum Verdict: Hashable, Sendable {
    /// The event is the next event of the stream, and the cursor has moved to this event.
    case take
    /// The reader already took the event.
    case skip
    /// Events before this event are missing, or this event's epoch differs from the reader's epoch.
    /// The reader must catch up.
    case catchUp
  }

  /// Returns the action for an event, and moves the cursor if the action is `take`.
  public mutating func arrive(epoch: UInt64, sequence: UInt64) -> Verdict {
    guard epoch == self.epoch else { return .catchUp }
    guard sequence > self.sequence else { return .skip }
    guard sequence == self.sequence + 1 else { return .catchUp }
    self.sequence = sequence
    return .take
  }

  /// Returns whether the owner has published events that the reader did not take, according to the
  /// owner's beacon.
  public func isBehind(epoch: UInt64, lastSequence: UInt64) -> Bool {
    epoch != self.epoch || lastSequence > sequence
  }
}
