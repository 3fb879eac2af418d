import ServiceHost

/// Where browsers come to media.
struct WebRTCConfiguration: Sendable {
  /// Where to listen: four or sixteen bytes, all zero for every address of the machine.
  var listen: [UInt8]

  /// 0: the system chooses one.
  var port: UInt16

  /// The addresses that browsers are told.
  var hosts: [[UInt8]]

  /// How many handshakes may go on at once.
  var handshakes = 1_000

  /// - Parameter addresses: What the operator says that browsers are told; none: the first address
  ///   of this machine that is not loopback's, and media listens there alone.
  /// - Returns: `nil` for a text that is no address.
  init?(addresses: [String], port: Int) {
    self.port = UInt16(clamping: port)
    guard !addresses.isEmpty else {
      listen = UDPSocket.ownAddress() ?? [127, 0, 0, 1]
      hosts = [listen]
      return
    }
    var hosts: [[UInt8]] = []
    for address in addresses {
      guard let bytes = UDPSocket.bytes(of: address) else { return nil }
      hosts.append(bytes)
    }
    self.hosts = hosts
    listen = [UInt8](repeating: 0, count: hosts[0].count)
    if hosts.allSatisfy({ $0.count == 4 && $0[0] == 127 }) { listen = hosts[0] }
  }
}

/// What an operator sees of browsers at media.
struct WebRTCCounters: Sendable {
  let peers: Gauge
  let checks: Counter
  let refusedChecks: Counter
  let consentsLost: Counter
  let passedOver: Counter
  let refusedPackets: Counter
  let handshakes: MetricFamily<Counter, HandshakeOutcome>

  init(in registry: MetricsRegistry) {
    peers = registry.gauge(
      "carillon_media_browsers", help: "Sessions of browsers that have an answer to their offer.")
    checks = registry.counter(
      "carillon_media_ice_checks_total", help: "Checks of connectivity that were answered.")
    refusedChecks = registry.counter(
      "carillon_media_ice_checks_refused_total",
      help: "Checks of connectivity that name no session, or are not whole.")
    consentsLost = registry.counter(
      "carillon_media_ice_consents_lost_total",
      help: "Times that a browser sent no check of connectivity for 30 s.")
    passedOver = registry.counter(
      "carillon_media_datagrams_passed_over_total",
      help: "Datagrams of no connection, and of none that can take them yet.")
    refusedPackets = registry.counter(
      "carillon_media_srtp_refused_total",
      help: "Packets of browsers that are forged or repeated, or that no session takes.")
    handshakes = registry.counters(
      "carillon_media_dtls_handshakes_total", help: "Handshakes of browsers, by outcome.",
      by: HandshakeOutcome.self)
  }
}

/// How a browser's handshake ended.
enum HandshakeOutcome: String, MetricLabel {
  static let labelName = "outcome"

  case completed
  case failed
}
