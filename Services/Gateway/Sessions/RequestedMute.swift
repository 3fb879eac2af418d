/// A client's request to mute or unmute itself, until presence has answered it.
///
/// Only the newest call counts. An older one that waits for presence must not be sent after it.
struct RequestedMute {
  /// One call of the client.
  struct Call: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// The mute that the newest call requests; `nil` when it was answered, or without a call.
  private(set) var isMuted: Bool?

  private var last: UInt64 = 0

  /// Records a call.
  mutating func ask(_ isMuted: Bool) -> Call {
    last += 1
    self.isMuted = isMuted
    return Call(number: last)
  }

  /// Returns whether no newer call arrived.
  func isNewest(_ call: Call) -> Bool { call.number == last }

  /// Ends a call that was answered.
  ///
  /// Does nothing if a newer call arrived.
  mutating func end(_ call: Call) {
    if isNewest(call) { isMuted = nil }
  }
}
