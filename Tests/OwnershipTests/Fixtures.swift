import MeetingModel
import Ownership

/// A meeting whose visitors join through gateways. The meeting's effects are texts.
struct GuestBook: MeetingState, Equatable {
  var visitors: [String: SessionConnectivity] = [:]
  var isRecovering: Bool
  var hasEnded = false
  let timing = OwnerGracePeriods()

  var nextDeadline: ContinuousClock.Instant? { visitors.values.compactMap(end).min() }

  var forgettableAt: ContinuousClock.Instant? {
    visitors.isEmpty && !isRecovering ? .now - .seconds(3_600) : nil
  }

  private func end(of contact: SessionConnectivity) -> ContinuousClock.Instant? {
    contact.end(dropAfter: timing.dropAfter, gatewayGrace: timing.gatewayGrace)
  }

  mutating func admit(_ visitor: String, through gateway: GatewayName) -> [String] {
    visitors[visitor] = .connected(gateway)
    return ["\(visitor) came"]
  }

  mutating func advance(to now: ContinuousClock.Instant) -> [String] {
    let gone = visitors.filter { (end(of: $0.value) ?? now + .seconds(1)) <= now }.keys.sorted()
    for visitor in gone { visitors[visitor] = nil }
    return gone.map { "\($0) went" }
  }

  mutating func loseGateway(
    _ gateway: GatewayName, at now: ContinuousClock.Instant
  ) -> [String] {
    let lost = visitors.filter { $0.value == .connected(gateway) }.keys.sorted()
    for visitor in lost { visitors[visitor] = .orphaned(gateway, since: now) }
    return lost.map { "\($0) is lost" }
  }

  mutating func endRecovery(at now: ContinuousClock.Instant) -> [String] {
    isRecovering = false
    return ["recovered"]
  }

  mutating func excuseSilence(of stall: Duration) {
    visitors = visitors.mapValues { $0.excusingSilence(of: stall) }
  }
}
