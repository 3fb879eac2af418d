import WebRTC

/// A scripted handshake. The first byte of each received datagram determines the handshake's
/// progress. The handshake sends each flight again after a second.
struct ScriptedHandshake: PeerHandshake {
  typealias Step = PeerHandshakeActions<String, String>

  /// The first bytes of the datagrams. The values 20-63 mean DTLS (RFC 7983).
  enum Byte {
    static let flight: UInt8 = 22
    static let lastFlight: UInt8 = 23
    static let nonsense: UInt8 = 24
    static let closing: UInt8 = 25
  }

  private var outcome = Step.Outcome.running
  private var flights: UInt8 = 0

  mutating func receive(_ datagram: [UInt8], at now: ContinuousClock.Instant) -> Step {
    switch datagram.first {
    case Byte.lastFlight: outcome = .done("keys")
    case Byte.nonsense: outcome = .failed("malformed")
    case Byte.closing: outcome = .closed
    default: break
    }
    return flight(at: now)
  }

  mutating func poll(at now: ContinuousClock.Instant) -> Step { flight(at: now) }

  mutating func close(at now: ContinuousClock.Instant) -> Step {
    PeerHandshakeActions(datagrams: [[Byte.closing]], deadline: nil, outcome: .closed)
  }

  private mutating func flight(at now: ContinuousClock.Instant) -> Step {
    guard case .running = outcome else {
      return PeerHandshakeActions(datagrams: [], deadline: nil, outcome: outcome)
    }
    flights += 1
    return PeerHandshakeActions(
      datagrams: [[Byte.flight, flights]], deadline: now + .seconds(1), outcome: outcome)
  }
}
