/// The id of a stream of RTP packets (RFC 3550).
public struct SSRC: Hashable, Sendable {
  /// The number, which is never 0.
  public let number: UInt32

  /// Creates an id; `nil` for 0, which means "none".
  public init?(_ number: UInt32) {
    guard number > 0 else { return nil }
    self.number = number
  }
}
