/// A reader's position in a stream of events.
public struct StreamPosition: Hashable, Sendable {
  /// The stream's name within its meeting; clients echo it uninterpreted.
  public var stream: String

  /// The epoch, which changes whenever the stream's numbering could not be continued.
  public var epoch: UInt64

  /// The sequence of the last seen event; gap-free from 1 within an epoch, 0 before the first.
  public var sequence: UInt64

  /// Creates a position.
  public init(stream: String, epoch: UInt64, sequence: UInt64) {
    self.stream = stream
    self.epoch = epoch
    self.sequence = sequence
  }
}
