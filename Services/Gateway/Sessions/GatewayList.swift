import Bus
import MeetingModel
import Wire

/// The gateways at which clients of this one can resume, as the registry has them.
struct GatewayList: Hashable {
  /// Where they take clients: this one first, then the others by name. While it drains it is last:
  /// its clients must know that it is one of them.
  var endpoints: [String] = []

  /// Whether this gateway hands its clients to the others.
  var isDraining = false

  /// Nobody is known yet.
  init() {}

  /// - Parameters:
  ///   - live: The gateways that live.
  ///   - instance: This one.
  init(_ live: [RegisteredInstance], seenBy instance: String) {
    let taking = Set(live.membership.instances)
    let others = live.filter { taking.contains($0.instance) && $0.instance != instance }
    let own = live.filter { $0.instance == instance }
    isDraining = !taking.contains(instance) && !others.isEmpty
    let ordered = isDraining ? others + own : own + others
    for endpoint in ordered.compactMap({ Self.endpoint(of: $0) }) {
      // Several may be behind one address.
      if !endpoints.contains(endpoint) { endpoints.append(endpoint) }
    }
  }

  /// Clients of this host reach no Unix socket of another one.
  private static func endpoint(of gateway: RegisteredInstance) -> String? {
    gateway.endpoints["public"].flatMap { text in
      gateway.isHere || text.hasPrefix("tcp://") ? text : nil
    }
  }
}
