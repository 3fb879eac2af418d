import Bus
import MeetingModel
import Wire

/// The gateways at which this gateway's clients can resume, according to the registry.
struct GatewayList: Hashable {
  /// The endpoints for clients: this gateway first, then the others by name.
  ///
  /// While this gateway drains it is last, because its clients must know that it is one of them.
  var endpoints: [String] = []

  /// Whether this gateway drains, and moves its clients to the others.
  var isDraining = false

  /// An empty list, before the registry is read.
  init() {}

  /// - Parameters:
  ///   - live: The live gateways.
  ///   - instance: This gateway.
  init(_ live: [RegisteredInstance], seenBy instance: String) {
    let taking = Set(live.membership.instances)
    let others = live.filter { taking.contains($0.instance) && $0.instance != instance }
    let own = live.filter { $0.instance == instance }
    isDraining = !taking.contains(instance) && !others.isEmpty
    let ordered = isDraining ? others + own : own + others
    for endpoint in ordered.compactMap({ Self.endpoint(of: $0) }) {
      // Several gateways may share one address.
      if !endpoints.contains(endpoint) { endpoints.append(endpoint) }
    }
  }

  /// Returns a gateway's endpoint if clients can reach it.
  ///
  /// A Unix socket works on its own host only.
  private static func endpoint(of gateway: RegisteredInstance) -> String? {
    gateway.endpoints["public"].flatMap { text in
      gateway.isHere || text.hasPrefix("tcp://") ? text : nil
    }
  }
}
