/// The state of one browser's connection. ICE validates the browser's address, a handshake secures
/// the connection, and then media flows.
///
/// A peer does no I/O and has no clock. The owner passes in datagrams, commands and the time. The
/// owner then takes the outputs (``takeOutputs()``) and reads the next ``deadline``. Protected
/// media remains in the owner's bytes. ``receive(_:from:at:)`` only reports that a datagram is
/// media of this peer, and the owner decrypts the datagram in place.
public struct WebRTCPeer<Handshake: PeerHandshake> {
  private enum State {
    case checking
    case awaitingHandshake
    case handshaking(Handshake)
    case open(Handshake)
    case closed
  }

  /// The result of the last negotiation, without the parts that only the answer's text needs.
  public private(set) var media: NegotiatedMedia

  private var agent: ICEAgent
  private var state = State.checking
  private var handshakeDeadline: ContinuousClock.Instant?
  private var hasConsent = false
  private var outputs: [Output] = []

  /// - Parameters:
  ///   - local: The credentials in this side's answer.
  ///   - media: The result of the negotiation.
  public init(local: ICECredentials, media: NegotiatedMedia) {
    self.media = media
    self.media.forgetText()
    agent = ICEAgent(local: local, remoteFragment: media.transport.credentials.fragment)
  }

  // MARK: State

  /// The phase of the connection.
  public var phase: Phase {
    switch state {
    case .checking: .checking
    case .awaitingHandshake, .handshaking: .handshaking
    case .open: .open
    case .closed: .closed
    }
  }

  /// The credentials in this side's answers.
  public var local: ICECredentials { agent.local }

  /// The time of the next ``advance(to:)``, unless another call happens earlier; `nil` if this type
  /// needs no call.
  public var deadline: ContinuousClock.Instant? {
    let consentEnd = hasConsent ? agent.consentEnd : nil
    return [handshakeDeadline, consentEnd].compactMap { $0 }.min()
  }

  /// Returns the destination of media: the last nominated address.
  ///
  /// - Returns: `nil` before a nomination, while the browser does not consent, and after the end of
  ///   the connection.
  public func destination(at now: ContinuousClock.Instant) -> PeerAddress? {
    guard let route, now < route.end else { return nil }
    return route.address
  }

  /// The destination of media, which is valid until the browser's consent ends; `nil` before a
  /// nomination, and after the end of the connection. Each mutating method may change this value.
  ///
  /// An owner that sends many packets can store this value between calls of these methods.
  public var route: ICEAgent.Route? { phase == .closed ? nil : agent.route }

  /// The nominated address, if media has arrived from this address; otherwise `nil`. For this
  /// address, ``noteMedia(from:)`` has no effect.
  public var confirmedAddress: PeerAddress? { agent.isConfirmed ? agent.nominated : nil }

  /// Returns and removes the outputs since the last call, in order.
  public mutating func takeOutputs() -> [Output] {
    guard !outputs.isEmpty else { return [] }
    defer { outputs = [] }
    return outputs
  }

  // MARK: Commands

  /// Applies the result of another offer of the same session.
  ///
  /// An offer with another ICE username fragment belongs to a client that reconnected. The
  /// connection then restarts and keeps this side's credentials.
  public mutating func apply(_ media: NegotiatedMedia, at now: ContinuousClock.Instant) {
    self.media = media
    self.media.forgetText()
    let fragment = media.transport.credentials.fragment
    guard fragment != agent.remoteFragment, phase != .closed else { return }
    endHandshake(at: now)
    forgetPaths()
    agent = ICEAgent(local: agent.local, remoteFragment: fragment)
    (state, hasConsent) = (.checking, false)
  }

  /// Starts the handshake that ``Output/needsHandshake(_:)`` requested.
  ///
  /// A client's handshake sends its first flight immediately.
  public mutating func begin(_ handshake: Handshake, at now: ContinuousClock.Instant) {
    guard case .awaitingHandshake = state else { return }
    state = .handshaking(handshake)
    if media.transport.localRole == .client { step(at: now) { $0.poll(at: now) } }
  }

  /// Ends the connection and notifies the browser if there is an association.
  public mutating func close(at now: ContinuousClock.Instant) { end(.released, at: now) }

  /// Runs everything that is due.
  public mutating func advance(to now: ContinuousClock.Instant) {
    if hasConsent, !agent.hasConsent(at: now) {
      hasConsent = false
      outputs.append(.consentLost)
    }
    guard let due = handshakeDeadline, due <= now else { return }
    step(at: now) { $0.poll(at: now) }
  }

  // MARK: Datagrams

  /// Handles a datagram.
  ///
  /// This type accepts checks from every address. This type accepts all other datagrams only from
  /// addresses that ICE has validated.
  ///
  /// - Parameters:
  ///   - datagram: The whole datagram, which the caller keeps.
  ///   - address: The address from which the datagram arrived.
  ///   - now: The time at which the datagram arrived.
  /// - Returns: The kind of the datagram.
  public mutating func receive(
    _ datagram: Span<UInt8>, from address: PeerAddress, at now: ContinuousClock.Instant
  ) -> Arrival {
    switch DatagramKind(datagram) {
    case .stun: STUNMessage(datagram).map { receive($0, from: address, at: now) } ?? .ignored
    case .dtls: receiveHandshake(datagram, from: address, at: now)
    case .srtp: phase == .open && agent.hasProven(address) ? .media : .ignored
    case .unknown: .ignored
    }
  }

  /// Handles a check that the caller has already read, for example to find this peer.
  public mutating func receive(
    _ check: STUNMessage, from address: PeerAddress, at now: ContinuousClock.Instant
  ) -> Arrival {
    guard phase != .closed else { return .ignored }
    let former = agent.paths
    guard let answer = agent.answer(check, from: address, at: now) else { return .ignored }
    outputs.append(.datagram(answer, to: address))
    guard agent.paths != former else { return .check }
    noteChange(of: former, at: now)
    return .check
  }

  /// Records that the owner has decrypted a packet of media from an address.
  ///
  /// After a NAT has assigned another address to the browser, this side sends to the new address as
  /// soon as a check and then a packet of media have arrived from this address
  /// (``ICEAgent/noteMedia(from:)``).
  public mutating func noteMedia(from address: PeerAddress) {
    guard phase == .open else { return }
    agent.noteMedia(from: address)
  }

  private mutating func receiveHandshake(
    _ datagram: Span<UInt8>, from address: PeerAddress, at now: ContinuousClock.Instant
  ) -> Arrival {
    guard agent.hasProven(address) else { return .ignored }
    switch state {
    case .handshaking, .open: break
    case .checking, .awaitingHandshake, .closed: return .ignored
    }
    let bytes = datagram.indices.map { datagram[$0] }
    step(at: now, answering: address) { $0.receive(bytes, at: now) }
    return .handshake
  }

  // MARK: Addresses

  /// Reports added and removed addresses, and requests a handshake after the first added address.
  private mutating func noteChange(of former: [ICEAgent.Path], at now: ContinuousClock.Instant) {
    let (old, new) = (former.map(\.address), agent.paths.map(\.address))
    outputs += old.filter { !new.contains($0) }.map { .forgotten($0) }
    outputs += new.filter { !old.contains($0) }.map { .proven($0) }
    noteConsent(isFirst: former.isEmpty)
    guard case .checking = state else { return }
    state = .awaitingHandshake
    outputs.append(.needsHandshake(media.transport.localRole))
  }

  private mutating func noteConsent(isFirst: Bool) {
    if !hasConsent, !isFirst { outputs.append(.consentRestored) }
    hasConsent = true
  }

  private mutating func forgetPaths() {
    outputs += agent.paths.map { .forgotten($0.address) }
  }

  // MARK: The handshake

  /// Runs one step of the handshake, sends the step's datagrams, and applies the step's outcome.
  private mutating func step(
    at now: ContinuousClock.Instant, answering address: PeerAddress? = nil,
    _ body: (inout Handshake) -> PeerHandshakeActions<Handshake.Association, Handshake.Failure>
  ) {
    guard var handshake = handshake else { return }
    let step = body(&handshake)
    put(handshake)
    handshakeDeadline = step.deadline
    send(step.datagrams, answering: address, at: now)
    take(step.outcome, at: now)
  }

  private var handshake: Handshake? {
    switch state {
    case .handshaking(let handshake), .open(let handshake): handshake
    case .checking, .awaitingHandshake, .closed: nil
    }
  }

  private mutating func put(_ handshake: Handshake) {
    switch state {
    case .handshaking: state = .handshaking(handshake)
    case .open: state = .open(handshake)
    case .checking, .awaitingHandshake, .closed: break
    }
  }

  /// Sends datagrams.
  ///
  /// Before a nomination, this type sends the datagrams to the source of the browser's last
  /// datagram.
  private mutating func send(
    _ datagrams: [[UInt8]], answering address: PeerAddress?, at now: ContinuousClock.Instant
  ) {
    guard agent.hasConsent(at: now),
      let destination = agent.destination(at: now) ?? address ?? agent.paths.last?.address
    else { return }
    outputs += datagrams.map { .datagram($0, to: destination) }
  }

  private mutating func take(
    _ outcome: PeerHandshakeActions<Handshake.Association, Handshake.Failure>.Outcome,
    at now: ContinuousClock.Instant
  ) {
    switch outcome {
    case .running: break
    case .done(let association): open(association)
    case .failed(let failure): end(.failed(failure), at: now)
    case .closed: end(.left, at: now)
    }
  }

  /// Opens the connection.
  ///
  /// A completed handshake reports `done` again in every later step, so this function must accept
  /// repeated calls.
  private mutating func open(_ association: Handshake.Association) {
    guard case .handshaking(let handshake) = state else { return }
    state = .open(handshake)
    outputs.append(.opened(association))
  }

  // MARK: Ending

  private mutating func end(_ ending: Ending, at now: ContinuousClock.Instant) {
    guard phase != .closed else { return }
    endHandshake(at: now)
    forgetPaths()
    (state, hasConsent) = (.closed, false)
    outputs.append(.closed(ending))
  }

  /// Closes the handshake. This type already knows the outcome of the handshake's last step.
  private mutating func endHandshake(at now: ContinuousClock.Instant) {
    handshakeDeadline = nil
    guard var handshake = handshake else { return }
    send(handshake.close(at: now).datagrams, answering: nil, at: now)
  }
}
