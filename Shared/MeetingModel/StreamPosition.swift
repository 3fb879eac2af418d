/// A reader's position in a stream of events.
public struct StreamPosition: Hashable, Sendable {
  /// The stream's name within its meeting. Clients return the name without interpreting it.
  public var stream: String

  /// The epoch. It changes whenever the numbering of the stream cannot continue.
  public var epoch: UInt64

  /// The sequence number of the last seen event; 0 before the first event. Numbers start at 1 in
  /// each epoch and have no gaps.
  public var sequence: UInt64

  /// Creates a position.
  public init(stream: String, epoch: UInt64, sequence: UInt64) {
    self.stream = stream
    self.epoch = epoch
    self.sequence = sequence
  }
}
