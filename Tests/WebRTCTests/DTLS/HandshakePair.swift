import SRTP
import TestSupport
import Testing

@testable import WebRTC

/// A DTLS client and server on a virtual network and a virtual clock.
struct HandshakePair: ~Copyable {
  static let client = 0
  static let server = 1

  /// The client and the server.
  let ends: [DTLSHandshake]
  var network: VirtualNetwork
  let clock = VirtualClock()

  /// Changes a datagram before it arrives. The arguments are the index of the end that receives the
  /// datagram, and the datagram. Returns the datagrams that arrive instead of this datagram.
  var meddle: (Int, [UInt8]) -> [[UInt8]] = { _, datagram in [datagram] }

  /// The number of bytes that each end sent.
  private(set) var sent = [0, 0]
  private var deadlines: [ContinuousClock.Instant?]

  /// The identities of the client and the server, made only once, because making a key takes longer
  /// than a handshake.
  static let identities: [DTLSIdentity] = {
    do { return [try DTLSIdentity(at: 1_767_225_600), try DTLSIdentity(at: 1_767_225_600)] } catch {
      preconditionFailure("OpenSSL makes certificates: \(error)")
    }
  }()

  /// - Parameters:
  ///   - expected: The fingerprints that the client and the server expect.
  ///   - profiles: The profiles of the client and the server.
  init(
    _ network: VirtualNetwork = VirtualNetwork(),
    expecting expected: [[DTLSFingerprint]] = [
      [identities[server].fingerprint], [identities[client].fingerprint],
    ],
    profiles: [[ProtectionProfile]] = [ProtectionProfile.allCases, ProtectionProfile.allCases],
    limits: DTLSHandshakeLimits = DTLSHandshakeLimits()
  ) throws {
    let now = clock.now
    ends = try [DTLSRole.client, .server].enumerated().map { end, role in
      try DTLSHandshake(
        role, identity: Self.identities[end], expecting: expected[end], profiles: profiles[end],
        limits: limits, at: now)
    }
    self.network = network
    deadlines = [now, now]
  }

  /// The two outcomes, the client's first.
  var outcomes: [DTLSOutcome] { ends.map(\.outcome) }

  /// The associations of the ends that have completed the handshake.
  var associations: [DTLSAssociation] {
    outcomes.compactMap { if case .done(let association) = $0 { association } else { nil } }
  }

  /// Runs until no datagram is in transit and neither side has a deadline.
  mutating func run() {
    for _ in 0..<10_000 {
      guard let next = (deadlines + [network.nextArrival]).compactMap(\.self).min() else { return }
      clock.advance(to: max(next, clock.now))
      deliver()
      poll()
    }
    Issue.record("The handshake hangs: \(outcomes) after \(clock.elapsed)")
  }

  /// Delivers the datagrams that have arrived.
  mutating func deliver() {
    for arrival in network.arrivals(at: clock.now) {
      for datagram in meddle(arrival.end, arrival.datagram) {
        take(ends[arrival.end].receive(datagram, at: clock.now), of: arrival.end)
      }
    }
  }

  /// Polls once each end whose deadline has passed. Each poll must have an effect.
  mutating func poll() {
    for end in ends.indices {
      guard let deadline = deadlines[end], deadline <= clock.now else { continue }
      let step = ends[end].poll(at: clock.now)
      let isIdleServer = end == Self.server && clock.elapsed == .zero
      if step.outcome == .running, !isIdleServer {
        #expect(!step.datagrams.isEmpty, "a poll after the deadline sends the flight")
      }
      take(step, of: end)
    }
  }

  /// Sends the datagrams of a step, and records the step's deadline.
  mutating func take(_ step: DTLSStep, of end: Int) {
    note(step, of: end)
    network.send(step.datagrams, to: 1 - end, at: clock.now)
  }

  /// Records the deadline of a step. The test itself delivers the step's datagrams.
  mutating func note(_ step: DTLSStep, of end: Int) {
    #expect(step.datagrams.allSatisfy { $0.count <= 1_200 })
    #expect(step.deadline.map { $0 <= clock.now + .seconds(30) } ?? true)
    sent[end] += step.datagrams.map(\.count).reduce(0, +)
    deadlines[end] = step.deadline
  }
}
