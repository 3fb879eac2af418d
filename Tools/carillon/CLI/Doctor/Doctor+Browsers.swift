internal import Bus
internal import LocalInstallation
internal import Output

extension Doctor {
  /// Uses an instance's metrics to check whether browsers' datagrams reach `media`.
  func browsers(at instance: RegisteredInstance) async -> Finding {
    func finding(_ outcome: Finding.Outcome) -> Finding {
      Finding(.browsers, instance.instance, outcome)
    }
    guard var reading = await reading(of: instance) else {
      return finding(.skipped("its metrics cannot be read; see the finding about its readiness"))
    }
    if finding(Self.browsers(in: reading)).isFailed {
      // Browsers that have just joined have sent nothing yet.
      try? await Task.sleep(for: Self.firstChecks)
      reading = await self.reading(of: instance) ?? reading
    }
    return finding(Self.browsers(in: reading))
  }

  /// The time that browsers have for their first connectivity checks. Browsers send a connectivity
  /// check within 100 ms, and complete a handshake within 1 s.
  private static var firstChecks: Duration { .seconds(3) }

  private func reading(of instance: RegisteredInstance) async -> MetricsReading? {
    let response = try? await health(of: instance).send(
      HTTPRequest(.get, "/metrics"), within: .seconds(5))
    return response.map { MetricsReading($0.text) }
  }

  /// Returns the finding, which depends on what an instance of `media` has counted since its start.
  static func browsers(in reading: MetricsReading) -> Finding.Outcome {
    let count = { (metric: String) in Int(reading[metric] ?? 0) }
    let present = count("carillon_media_browsers")
    let handshakes = Int(
      reading.sum(
        of: "carillon_media_dtls_handshakes_total", where: "outcome", is: "completed") ?? 0)
    let checks = count("carillon_media_ice_checks_total")
    guard present > 0 else { return .ok("no browser is connected; \(handshakes) connected before") }
    guard checks > 0 else {
      return .failed(
        "\(present) browsers joined, but none of their datagrams arrived",
        remedy: "open media's UDP port (--udp-port) to browsers, and name the addresses at which "
          + "they reach it with --public-address")
    }
    guard handshakes > 0 else {
      return .failed(
        "\(present) browsers joined and reach the UDP port, but none completed a DTLS handshake",
        remedy: "see why in carillon_media_dtls_handshakes_total (`carillon metrics`)")
    }
    return .ok("\(present) here, \(handshakes) handshakes")
  }
}
