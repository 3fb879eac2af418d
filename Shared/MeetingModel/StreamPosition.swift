/// How far somebody has followed one stream of events.
public struct StreamPosition: Hashable, Sendable {
  /// Names the stream within its meeting. Clients echo it uninterpreted.
  public var stream: String

  /// Changes whenever the stream's numbering could not be continued.
  public var epoch: UInt64

  /// The last event seen; gap-free from 1 within an epoch, 0 before the first.
  public var sequence: UInt64

  /// Makes a position, as a stream's owner counts.
  public init(stream: String, epoch: UInt64, sequence: UInt64) {
    self.stream = stream
    self.epoch = epoch
    self.sequence = sequence
  }
}
