import ServiceHost
import WebRTC

/// The addresses and limits of the port for browsers.
struct WebRTCConfiguration: Sendable {
  /// The address to listen at, 4 or 16 bytes. If all bytes are 0, `media` listens at every address
  /// of the machine.
  var listen: [UInt8]

  /// The port. If the port is 0, the system chooses a port.
  var port: UInt16

  /// The addresses of `media` in answers to browsers.
  var hosts: [[UInt8]]

  /// The maximum number of concurrent handshakes.
  var handshakes = 1_000

  /// Reads the addresses that the operator configured.
  ///
  /// - Parameter addresses: The addresses for answers to browsers. If there are none, `media` uses
  ///   the first address of this machine that is not loopback, and listens only there.
  /// - Returns: `nil` if a text is not an address.
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
    // A socket with an IPv6 address also receives IPv4 datagrams (ipv6(7)).
    listen = [UInt8](repeating: 0, count: hosts.map(\.count).max() ?? 4)
    if hosts.allSatisfy({ $0.count == 4 && $0[0] == 127 }) { listen = hosts[0] }
  }
}

/// The metrics of browsers at `media`.
struct WebRTCCounters: Sendable {
  let peers: Gauge
  let checks: Counter
  let refusedChecks: Counter
  let consentsLost: Counter
  let passedOver: Counter
  let refusedPackets: Counter
  let unsent: Counter
  let waitingHandshakes: Gauge
  let droppedHandshakes: Counter
  let receiveBuffer: Gauge
  let sendBuffer: Gauge
  let figures: BrowserAudioMetrics
  let handshakes: MetricFamily<Counter, DTLSHandshakeOutcome>

  init(in registry: MetricsRegistry) {
    peers = registry.gauge(
      "carillon_media_browsers",
      help: "Sessions of browsers with a completed SDP offer and answer.")
    checks = registry.counter(
      "carillon_media_ice_checks_total", help: "ICE connectivity checks that media answered.")
    refusedChecks = registry.counter(
      "carillon_media_ice_checks_refused_total",
      help: "ICE connectivity checks that name no session, or are malformed.")
    consentsLost = registry.counter(
      "carillon_media_ice_consents_expired_total",
      help: "Browsers whose ICE consent expired after 30 s without a check.")
    passedOver = registry.counter(
      "carillon_media_ignored_datagrams_total",
      help: "Datagrams that belong to no connection, or to one that is not ready for them.")
    refusedPackets = registry.counter(
      "carillon_media_srtp_refused_total",
      help: "Packets of browsers that are forged, replayed, or of no session.")
    unsent = registry.counter(
      "carillon_media_unsent_datagrams_total",
      help: "Datagrams to browsers that the operating system refused to send.")
    waitingHandshakes = registry.gauge(
      "carillon_media_waiting_handshake_steps",
      help: "Steps of DTLS handshakes that wait until media has time; at most 4,096.")
    droppedHandshakes = registry.counter(
      "carillon_media_dropped_handshake_datagrams_total",
      help: "DTLS datagrams that media dropped because too many steps of handshakes wait.")
    receiveBuffer = registry.gauge(
      "carillon_media_udp_receive_buffer_bytes",
      help: "Size of the receive buffer of the UDP port for browsers.")
    sendBuffer = registry.gauge(
      "carillon_media_udp_send_buffer_bytes",
      help: "Size of the send buffer of the UDP port for browsers.")
    figures = BrowserAudioMetrics(in: registry)
    handshakes = registry.counters(
      "carillon_media_dtls_handshakes_total",
      help: "DTLS handshakes of browsers, by outcome.",
      by: DTLSHandshakeOutcome.self)
  }
}

/// The outcome of a browser's DTLS handshake.
enum DTLSHandshakeOutcome: String, MetricLabel {
  static let labelName = "outcome"

  case completed
  /// The session ended, or its browser opened another connection.
  case abandoned
  /// `media` has no memory for another handshake.
  case noMemory = "no_memory"

  // The names of the following cases equal the names of the cases of `DTLSFailure`.
  case fingerprint
  case noProfile = "no_profile"
  case incompatible
  case timedOut = "timed_out"
  case alert
  case malformed
  case tooManyDatagrams = "too_many_datagrams"
  case tooManyHandshakes = "too_many_handshakes"

  init(_ failure: DTLSFailure) {
    self =
      switch failure {
      case .fingerprint: .fingerprint
      case .noProfile: .noProfile
      case .incompatible: .incompatible
      case .timedOut: .timedOut
      case .alert: .alert
      case .malformed: .malformed
      case .tooManyDatagrams: .tooManyDatagrams
      case .tooManyHandshakes: .tooManyHandshakes
      }
  }
}
