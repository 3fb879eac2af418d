public import SRTP

/// One DTLS-SRTP handshake and the association that follows it (RFC 5764, RFC 6347).
///
/// It does no I/O and has no thread: datagrams and the time go in; datagrams, the next deadline and
/// the outcome come out. The owner sends datagrams only to addresses that ICE proved. One task at a
/// time uses it. It is a class because OpenSSL's session cannot be copied, and so that owners can
/// keep it in a dictionary.
///
/// The client begins with its first ``poll(at:)``. Deadlines follow the system's clock, as OpenSSL
/// does (gettimeofday(2)): when somebody sets that clock back, a lost flight is sent again late,
/// but a handshake still ends within its patience.
public final class DTLSHandshake {
  /// How far the handshake is.
  public private(set) var outcome = DTLSOutcome.running

  let session: DTLSSession
  private let filter: DTLSRecordFilter
  private let limits: HandshakeLimits
  private let end: ContinuousClock.Instant
  private var hasBegun = false
  private var received = (datagrams: 0, bytes: 0)

  /// The last fatal alert that came in clear. Nobody can tell whether the peer sent it, so it only
  /// explains a handshake that times out.
  private var clearAlert: UInt8?

  /// Whether OpenSSL gave up a session that is done.
  private var isDeaf = false

  /// - Parameters:
  ///   - fingerprints: All of the peer's offer or answer. Its certificate has to match one of those
  ///     with the strongest hash function.
  ///   - profiles: Protection profiles that are allowed, preferred first; not empty.
  ///   - now: The patience of `limits` begins now.
  /// - Throws: If OpenSSL is out of memory.
  public init(
    _ role: DTLSRole, identity: DTLSIdentity, expecting fingerprints: [DTLSFingerprint],
    profiles: [ProtectionProfile] = ProtectionProfile.allCases,
    limits: HandshakeLimits = HandshakeLimits(), at now: ContinuousClock.Instant
  ) throws(OpenSSLError) {
    precondition(!profiles.isEmpty, "A handshake needs a protection profile.")
    session = try DTLSSession(
      role, identity: identity, expecting: fingerprints.strongest, profiles: profiles)
    filter = DTLSRecordFilter(messageBytes: limits.messageBytes)
    self.limits = limits
    end = now + limits.patience
  }

  /// Begins the handshake of a client, sends a lost flight again, or gives up.
  public func poll(at now: ContinuousClock.Instant) -> DTLSStep {
    guard outcome == .running else { return step(at: now) }
    guard now < end else {
      outcome = .failed(clearAlert.map(DTLSFailure.alert) ?? .timedOut)
      return step(at: now)
    }
    take(hasBegun ? session.retransmit() : session.shakeHands())
    hasBegun = true
    return step(at: now)
  }

  /// Reads a datagram of the peer.
  ///
  /// What is no record of this association is ignored.
  public func receive(_ datagram: [UInt8], at now: ContinuousClock.Instant) -> DTLSStep {
    switch outcome {
    case .running: shakeHands(datagram)
    case .done: read(datagram)
    case .failed, .closed: break
    }
    return step(at: now)
  }

  /// Ends the association and tells the peer so (close_notify).
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
    take(session.shakeHands(passed.bytes))
  }

  private func take(_ progress: DTLSSession.Progress) {
    switch progress {
    case .waiting: break
    case .finished: outcome = session.association().map(DTLSOutcome.done) ?? .failed(.noProfile)
    case .failed(let failure): outcome = .failed(failure)
    case .closed: outcome = .failed(.alert(0))
    }
  }

  /// After the handshake OpenSSL still answers a repeated flight and reads alerts.
  private func read(_ datagram: [UInt8]) {
    let passed = filter.pass(datagram)
    guard !isDeaf, !passed.bytes.isEmpty else { return }
    switch session.read(passed.bytes) {
    case .waiting, .finished: break
    case .closed, .failed(.alert): end(with: .closed)
    // Only repetitions without end lead here. SRTP goes on with the keys it has.
    case .failed: isDeaf = true
    }
  }

  private func end(with outcome: DTLSOutcome) {
    session.close()
    self.outcome = outcome
  }

  private func step(at now: ContinuousClock.Instant) -> DTLSStep {
    DTLSStep(datagrams: session.takeOutgoing(), deadline: deadline(at: now), outcome: outcome)
  }

  private func deadline(at now: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    guard outcome == .running else { return nil }
    guard hasBegun || session.role == .server else { return now }
    return session.timeToRetransmission.map { min(now + $0, end) } ?? end
  }
}
