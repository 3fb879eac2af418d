import RTP

/// The numbers that packets have on one connection, whatever stream they are of.
///
/// The link gives them; who accounts for what is under way learns the number of the packet that was
/// handed to the link last.
final class TransportNumbers {
  /// The number of the packet that was sent last; `nil`: it was not sent, or has none.
  private(set) var last: SequenceNumber?

  private var next = SequenceNumber(0)

  /// The next packet leaves.
  ///
  /// - Returns: Its number.
  func take() -> SequenceNumber {
    defer { next = next.advanced(by: 1) }
    last = next
    return next
  }

  /// The packet has no number.
  func pass() { last = nil }
}
