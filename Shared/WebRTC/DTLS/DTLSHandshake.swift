public import SRTP

/// One DTLS-SRTP handshake and the association that follows it (RFC 5764, RFC 6347).
///
/// It does no I/O and has no thread. The owner passes in datagrams and the time, and receives
/// datagrams, the next deadline and the outcome. The owner sends datagrams only to addresses that
/// ICE has validated. One task at a time uses it. It is a class because OpenSSL's session cannot
/// be copied, and so that owners can keep it in a dictionary.
///
/// The client begins with its first ``poll(at:)``. Deadlines follow the system's clock, as OpenSSL
/// does (gettimeofday(2)). If that clock is set back, a lost flight is retransmitted late, but a
/// handshake still ends within its patience.
public final class DTLSHandshake {
  /// The state of the handshake.
  public private(set) var outcome = DTLSOutcome.running

  let session: DTLSSession
  private let filter: DTLSRecordFilter
  private let limits: HandshakeLimits
  private let end: ContinuousClock.Instant
  private var hasBegun = false
  private var received = (datagrams: 0, bytes: 0)

  /// The last fatal alert that arrived unencrypted.
  ///
  /// Its sender is unknown, so it only explains a handshake that times out.
  private var clearAlert: UInt8?

  /// Whether OpenSSL failed after the handshake was done.
  private var isDeaf = false

  /// - Parameters:
  ///   - fingerprints: All fingerprints of the peer's offer or answer. Its certificate must match
  ///     one of those with the strongest hash function.
  ///   - profiles: The allowed protection profiles, preferred first; not empty.
  ///   - now: The present time, at which the patience of `limits` begins.
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

  /// Begins a client's handshake, retransmits a lost flight, or gives up.
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
  /// Datagrams that are no record of this association are ignored.
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

  /// Passes a datagram to OpenSSL, which still answers a repeated flight and reads alerts after
  /// the handshake.
  private func read(_ datagram: [UInt8]) {
    let passed = filter.pass(datagram)
    guard !isDeaf, !passed.bytes.isEmpty else { return }
    switch session.read(passed.bytes) {
    case .waiting, .finished: break
    case .closed, .failed(.alert): end(with: .closed)
    // Only endless repetitions cause this. SRTP continues with its keys.
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
