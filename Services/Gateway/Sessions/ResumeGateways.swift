import Bus
import MeetingModel
import Wire

/// The gateways at which this gateway's clients can resume. The registry lists these gateways.
struct ResumeGateways: Hashable {
  /// The endpoints for clients: this gateway first, then the other gateways sorted by name.
  ///
  /// While this gateway drains, its endpoint is last. The endpoint remains in the list, because
  /// clients must find their present gateway there.
  var endpoints: [String] = []

  /// Whether this gateway drains, and so moves its clients to other gateways.
  var isDraining = false

  /// Creates an empty list, for the time before the gateway reads the registry.
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
      // Several gateways may share one address, which the list contains once.
      if !endpoints.contains(endpoint) { endpoints.append(endpoint) }
    }
  }

  /// Returns a gateway's endpoint if clients can reach it; otherwise `nil`.
  ///
  /// Clients can reach a Unix socket only from the host of this socket.
  private static func endpoint(of gateway: RegisteredInstance) -> String? {
    gateway.endpoints["public"].flatMap { text in
      gateway.isHere || text.hasPrefix("tcp://") ? text : nil
    }
  }
}
