/// When one packet was sent, and when it arrived, each by the clock of that side.
public struct PacketArrival: Hashable, Sendable {
  /// By the sender's clock, in microseconds.
  public var sentAt: Int64

  /// By the receiver's clock, in microseconds: its origin says nothing.
  public var arrivedAt: Int64

  /// With RTP header.
  public var bytes: Int

  /// Makes one.
  public init(sentAt: Int64, arrivedAt: Int64, bytes: Int) {
    (self.sentAt, self.arrivedAt, self.bytes) = (sentAt, arrivedAt, bytes)
  }

  /// How long it was under way, and the difference of the clocks.
  var transit: Int64 { arrivedAt &- sentAt }
}
