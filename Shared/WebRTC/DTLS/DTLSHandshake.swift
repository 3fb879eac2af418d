public import SRTP

/// One DTLS-SRTP handshake and the association that follows it (RFC 5764, RFC 6347).
///
/// A handshake does no I/O and has no thread. The owner passes in datagrams and the time, and
/// receives datagrams, the next deadline and the outcome. The owner sends these datagrams only to
/// addresses that ICE has validated. Only one task uses a handshake at a time. This type is a class
/// because Swift cannot copy OpenSSL's session, and because owners keep handshakes in a dictionary.
///
/// The client's first ``poll(at:)`` begins the handshake. Deadlines follow the system's clock,
/// because OpenSSL's deadlines do (gettimeofday(2)). If somebody sets that clock back, the
/// handshake retransmits a lost flight late, but still ends within
/// ``DTLSHandshakeLimits/patience``.
public final class DTLSHandshake {
  /// The state of the handshake.
  public private(set) var outcome = DTLSOutcome.running

  /// OpenSSL's session; `nil` once the handshake is done.
  private(set) var session: DTLSSession?

  /// The record layer that replaces the session after the handshake.
  private(set) var records: DTLSRecordLayer?
  private let role: DTLSRole
  private let filter: DTLSRecordFilter
  private let limits: DTLSHandshakeLimits
  private let end: ContinuousClock.Instant
  private var hasBegun = false
  private var received = (datagrams: 0, bytes: 0)

  /// The last fatal alert that arrived unencrypted.
  ///
  /// The sender of the alert is unknown, so this type uses the alert only to explain why a
  /// handshake timed out.
  private var clearAlert: UInt8?

  /// The position of the last encrypted record that OpenSSL wrote; `nil` before the first encrypted
  /// record.
  private var sent: DTLSRecordLayer.Position?

  /// The datagrams to the peer. The next call of `step` returns these datagrams.
  private var outgoing: [[UInt8]] = []

  /// - Parameters:
  ///   - fingerprints: All fingerprints of the peer's offer or answer. The peer's certificate must
  ///     match one of the fingerprints with the strongest hash function.
  ///   - profiles: The allowed protection profiles, preferred first; not empty.
  ///   - now: The current time. The handshake timeout in `limits` counts from this time.
  /// - Throws: `OpenSSLError` if OpenSSL is out of memory.
  public init(
    _ role: DTLSRole, identity: DTLSIdentity, expecting fingerprints: [DTLSFingerprint],
    profiles: [ProtectionProfile] = ProtectionProfile.allCases,
    limits: DTLSHandshakeLimits = DTLSHandshakeLimits(), at now: ContinuousClock.Instant
  ) throws(OpenSSLError) {
    precondition(!profiles.isEmpty, "A handshake needs a protection profile.")
    self.role = role
    session = try DTLSSession(
      role, identity: identity, expecting: fingerprints.strongest, profiles: profiles)
    filter = DTLSRecordFilter(messageBytes: limits.messageBytes)
    self.limits = limits
    end = now + limits.patience
  }

  /// Begins a client's handshake, retransmits a lost flight, or gives up.
  public func poll(at now: ContinuousClock.Instant) -> DTLSStep {
    guard outcome == .running else { return step(at: now) }
    guard now < end else {
      outcome = .failed(clearAlert.map(DTLSFailure.alert) ?? .timedOut)
      return step(at: now)
    }
    take { hasBegun ? $0.retransmit() : $0.shakeHands() }
    hasBegun = true
    return step(at: now)
  }

  /// Reads a datagram of the peer.
  ///
  /// Ignores datagrams that are not a record of this association.
  public func receive(_ datagram: [UInt8], at now: ContinuousClock.Instant) -> DTLSStep {
    switch outcome {
    case .running: shakeHands(datagram)
    case .done: read(datagram)
    case .failed, .closed: break
    }
    return step(at: now)
  }

  /// Ends the association and notifies the peer (close_notify).
  public func close(at now: ContinuousClock.Instant) -> DTLSStep {
    if case .done = outcome { end(with: .closed) }
    return step(at: now)
  }

  private func shakeHands(_ datagram: [UInt8]) {
    received = (received.datagrams + 1, received.bytes + datagram.count)
    guard received.datagrams <= limits.datagrams, received.bytes <= limits.bytes else {
      return outcome = .failed(.tooManyDatagrams)
    }
    let passed = filter.pass(datagram)
    clearAlert = passed.clearAlert ?? clearAlert
    guard !passed.bytes.isEmpty else { return }
    hasBegun = true
    take { $0.shakeHands(passed.bytes) }
  }

  /// Performs one step of OpenSSL's session, and collects the session's datagrams.
  private func take(_ body: (DTLSSession) -> DTLSSession.Progress) {
    guard let session else { return }
    let progress = body(session)
    outgoing = session.takeOutgoing()
    sent = DTLSRecordLayer.Position(lastIn: outgoing) ?? sent
    switch progress {
    case .waiting: break
    case .finished: finish(session)
    case .failed(let failure): outcome = .failed(failure)
    case .closed: outcome = .failed(.alert(0))
    }
  }

  /// Takes the keys of the association and frees OpenSSL's session.
  private func finish(_ session: DTLSSession) {
    guard let association = session.association() else { return outcome = .failed(.noProfile) }
    guard let keys = session.recordKeys(), let sent else { return outcome = .failed(.malformed) }
    records = DTLSRecordLayer(role, keys, lastFlight: outgoing, sent: sent)
    outcome = .done(association)
    self.session = nil
  }

  /// Reads a datagram after the handshake: an alert, or a repetition of the peer's last flight.
  private func read(_ datagram: [UInt8]) {
    let passed = filter.pass(datagram)
    guard !passed.bytes.isEmpty else { return }
    switch records?.receive(passed.bytes) {
    case .nothing, nil: break
    case .answer(let datagrams): outgoing = datagrams
    case .closed: end(with: .closed)
    }
  }

  private func end(with outcome: DTLSOutcome) {
    outgoing = records?.close() ?? []
    self.outcome = outcome
  }

  private func step(at now: ContinuousClock.Instant) -> DTLSStep {
    defer { outgoing = [] }
    return DTLSStep(datagrams: outgoing, deadline: deadline(at: now), outcome: outcome)
  }

  private func deadline(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard outcome == .running else { return nil }
    guard hasBegun || role == .server else { return now }
    return session?.timeToRetransmission.map { min(now + $0, end) } ?? end
  }
}
