/// The metrics of an installation's instances.
///
/// Instances on this host report their metrics on Unix sockets. This type reads the metrics of
/// instances on other hosts from `carillon metrics --listen` on those hosts.
package struct InstanceMetricsReader: Sendable {
  private let sockets: HealthSockets?
  private let others: [HTTPAddress]

  package init(_ sockets: HealthSockets?, _ others: [HTTPAddress] = []) {
    (self.sockets, self.others) = (sockets, others)
  }

  /// Whether this value contains any socket or address.
  package var hasAny: Bool { sockets != nil || !others.isEmpty }

  /// Returns the metrics of each instance, sorted by name; `nil` for an instance that times out.
  ///
  /// The result omits hosts that do not answer.
  package func readings(
    within time: Duration
  ) async -> [(instance: String, reading: MetricsReading?)] {
    async let here = sockets?.metrics(within: time) ?? []
    var readings = await elsewhere(within: time).mapValues { Optional(MetricsReading($0)) }
    for (instance, text) in await here {
      readings.updateValue(text.map(MetricsReading.init), forKey: instance)
    }
    return readings.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  private func elsewhere(within time: Duration) async -> [String: String] {
    await withTaskGroup(of: String.self) { group in
      for address in others {
        group.addTask {
          let answer = try? await HTTPClient(address)
            .send(HTTPRequest(.get, "/metrics"), within: time)
          return answer?.status == 200 ? answer?.text ?? "" : ""
        }
      }
      return await group.reduce(into: [:]) { texts, text in
        texts.merge(MergedMetrics.texts(in: text)) { $1 }
      }
    }
  }
}
