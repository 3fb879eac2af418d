import MeetingModel
import Synchronization

/// The knocks at this gateway. A lock protects the knocks, because concurrent requests use them.
final class GatewayKnocks: Sendable {
  private let knocks: Mutex<Knocks>

  init(rules: Knocks.Rules = Knocks.Rules()) { knocks = Mutex(Knocks(rules: rules)) }

  /// Returns whether a host of a meeting is present.
  func hasHost(in meeting: MeetingID, now: Int64) -> Bool {
    knocks.withLock { $0.hasHost(in: meeting, now: now) }
  }

  /// Reads or changes the knocks.
  func with<Value>(
    _ body: (inout Knocks) throws(KnockRefusal) -> sending Value
  ) throws(KnockRefusal) -> Value {
    try knocks.withLock { (knocks) throws(KnockRefusal) in try body(&knocks) }
  }
}
