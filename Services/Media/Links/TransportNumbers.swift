import RTP

/// The numbers of the packets on one connection, across all streams.
///
/// The link assigns the numbers. The code that records packets in flight reads the number of the
/// last packet that the link sent.
final class TransportNumbers {
  /// The number of the last packet that the caller passed to the link; `nil` if the link dropped
  /// this packet, or if the packet has no number.
  private(set) var last: SequenceNumber?

  private var next = SequenceNumber(0)

  /// Assigns the next number to the packet that the link sends now.
  ///
  /// - Returns: The number.
  func take() -> SequenceNumber {
    defer { next = next.advanced(by: 1) }
    last = next
    return next
  }

  /// Records that the last packet has no number.
  func pass() { last = nil }
}
