import RTP

/// The numbers of the packets on one connection, across all streams.
///
/// The link assigns the numbers. The code that accounts for packets in flight reads the number of
/// the last packet that was handed to the link.
final class TransportNumbers {
  /// The number of the packet that was sent last; `nil` if it was not sent or has no number.
  private(set) var last: SequenceNumber?

  private var next = SequenceNumber(0)

  /// Assigns the next number to the packet that is sent now.
  ///
  /// - Returns: The number.
  func take() -> SequenceNumber {
    defer { next = next.advanced(by: 1) }
    last = next
    return next
  }

  /// Records that the packet has no number.
  func pass() { last = nil }
}
