import MeetingModel
import Synchronization

/// The knocks at this gateway. A lock protects the knocks, because concurrent requests use them.
final class GatewayKnocks: Sendable {
  private let knocks: Mutex<Knocks>

  init(rules: Knocks.Rules = Knocks.Rules()) { knocks = Mutex(Knocks(rules: rules)) }

  /// Reads or changes the knocks.
  func with<Value>(
    _ body: (inout Knocks) throws(KnockRefusal) -> sending Value
  ) throws(KnockRefusal) -> Value {
    try knocks.withLock { (knocks) throws(KnockRefusal) in try body(&knocks) }
  }
}
