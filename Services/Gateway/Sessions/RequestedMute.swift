/// What a client wants its own mute to be, until presence has answered it.
///
/// The newest call counts: one that waits for presence must not follow it.
struct RequestedMute {
  /// One call of the client.
  struct Call: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// What the newest call asks for; `nil` when it was answered, or there was none.
  private(set) var isMuted: Bool?

  private var last: UInt64 = 0

  /// The client calls.
  mutating func ask(_ isMuted: Bool) -> Call {
    last += 1
    self.isMuted = isMuted
    return Call(number: last)
  }

  /// Whether no newer call came since.
  func isNewest(_ call: Call) -> Bool { call.number == last }

  /// A call was answered. Nothing happens if a newer one came meanwhile.
  mutating func end(_ call: Call) {
    if isNewest(call) { isMuted = nil }
  }
}
