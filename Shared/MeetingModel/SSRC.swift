/// Names a stream of RTP packets (RFC 3550).
public struct SSRC: Hashable, Sendable {
  /// Not 0.
  public let number: UInt32

  /// `nil` for 0, which means "none".
  public init?(_ number: UInt32) {
    guard number > 0 else { return nil }
    self.number = number
  }
}
