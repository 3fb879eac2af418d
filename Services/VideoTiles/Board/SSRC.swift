/// Names a stream of RTP packets (RFC 3550).
struct SSRC: Hashable, Sendable {
  /// Not 0.
  let number: UInt32

  /// `nil` for 0, which means "none".
  init?(_ number: UInt32) {
    guard number > 0 else { return nil }
    self.number = number
  }
}
