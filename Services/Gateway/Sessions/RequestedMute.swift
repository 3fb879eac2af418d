/// A client's request to mute or unmute itself, while `presence` has not answered the request.
///
/// Only the newest call applies. The gateway must not send an older call after a newer one.
struct RequestedMute {
  /// One call of the client.
  struct Call: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// The mute state that the newest call requests; `nil` if `presence` has answered this call, or
  /// if there is no call.
  private(set) var isMuted: Bool?

  private var last: UInt64 = 0

  /// Records a new call of the client, which replaces all earlier calls.
  mutating func ask(_ isMuted: Bool) -> Call {
    last += 1
    self.isMuted = isMuted
    return Call(number: last)
  }

  /// Returns whether the client has made no newer call.
  func isNewest(_ call: Call) -> Bool { call.number == last }

  /// Ends a call that `presence` has answered.
  ///
  /// Does nothing if a newer call has arrived.
  mutating func end(_ call: Call) {
    if isNewest(call) { isMuted = nil }
  }
}
