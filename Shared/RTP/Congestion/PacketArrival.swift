/// The send time of a packet by the sender's clock, and its arrival time by the receiver's clock.
public struct PacketArrival: Hashable, Sendable {
  /// The send time by the sender's clock, in microseconds.
  public var sentAt: Int64

  /// The arrival time by the receiver's clock, in microseconds with an arbitrary origin.
  public var arrivedAt: Int64

  /// The packet's size with the RTP header.
  public var bytes: Int

  /// Creates an arrival.
  public init(sentAt: Int64, arrivedAt: Int64, bytes: Int) {
    (self.sentAt, self.arrivedAt, self.bytes) = (sentAt, arrivedAt, bytes)
  }

  /// The transit time plus the difference of the clocks.
  var transit: Int64 { arrivedAt &- sentAt }
}
