import MeetingModel
import ServiceHost
import SRTP
import WebRTC
import ZeroMQ

/// The UDP port for all browsers, with one peer for each browser's session.
///
/// The port answers connectivity checks, and carries out handshakes. After a handshake, the port
/// creates a link for the browser. All methods run on the socket thread of `media`.
final class WebRTCUDPEndpoint {
  private typealias Peer = WebRTCPeer<DTLSHandshake>

  /// A browser's session at the port. The session's link refers to this object, so that `media`
  /// finds the destination of a packet without a search.
  private final class Place {
    let session: SessionID
    var peer: Peer

    /// The link for the session's packets; `nil` before the end of the handshake.
    var link: WebRTCLink?

    /// The protection of the packets; `nil` before the end of the handshake.
    var security: BrowserMediaCiphers?

    /// Whether the peer's handshake is in progress. The port limits the number of handshakes in
    /// progress.
    var isShakingHands = false

    /// The SSRCs that `media` uses for the layers of the browser's outgoing video.
    var layers: [UInt32] = []

    /// The destination of the session's packets, and the time at which the browser's consent ends;
    /// `nil` if packets have no destination. The place stores ``route`` and ``confirmedAddress``,
    /// because the port needs them for each packet.
    private(set) var route: (address: UDPAddress, end: ContinuousClock.Instant)?

    /// The address whose packets of media change nothing in ``peer``; `nil` if there is none.
    private(set) var confirmedAddress: PeerAddress?

    /// The number of answers to the session's offers.
    var version: UInt64 = 0
    let origin = UInt64.random(in: 1...(1 << 62))

    init(_ session: SessionID, _ peer: Peer) { (self.session, self.peer) = (session, peer) }

    /// Updates ``route`` and ``confirmedAddress`` after a change of ``peer``.
    func notePeer() {
      confirmedAddress = peer.confirmedAddress
      guard let current = peer.route, case .udp(let address) = current.address else {
        return route = nil
      }
      route = (address, current.end)
    }
  }

  /// Called when a browser has reached `media` and the browser's session has a link.
  var onOpen: (SessionID) -> Void = { _ in }

  /// Called when a browser has become unreachable, temporarily or permanently.
  var onLoss: (SessionID) -> Void = { _ in }

  /// Called for each packet of a browser's session. The packet is valid only during the call.
  var onPacket: (Span<UInt8>, SessionID) -> Void = { _, _ in }

  private let identity: DTLSIdentity
  private var budget: HandshakeBudget
  private let addresses: [UDPAddress]
  private let socket: UDPSocket
  private let thread: SocketThread
  private let counters: WebRTCCounters
  private let alarm: ThreadTimer
  private var alarms = SessionTimerQueue()
  private var wakeTime: ContinuousClock.Instant?
  private var lane = HandshakeQueue()
  private let laneTimer: ThreadTimer
  private var watch: PollWatchID?
  private var places: [SessionID: Place] = [:]
  private var directory = PeerDemultiplexer<SessionID>()

  /// The places of the sessions that have the addresses in ``directory``. Each packet of media
  /// needs only this look-up.
  private var owners: [UDPAddress: Place] = [:]

  /// The time of this turn of the event loop; `nil` until a packet needs the time. Reading the
  /// clock for each packet would take longer.
  private var turnTime: ContinuousClock.Instant?

  /// The received datagrams. `room` contains the datagram in progress.
  private var incoming = DatagramBatch()
  private var room = [UInt8](repeating: 0, count: DatagramBatch.datagramBytes)

  /// The datagrams to send at the end of this turn of the event loop.
  private var outgoing = DatagramBatch(capacity: mostOutgoing)

  /// The maximum number of datagrams that one system call sends. In a large batch, the packets of a
  /// picture form longer runs.
  private static let mostOutgoing = 256
  private var hook: SocketThreadHookID?

  /// The limits of one turn of the event loop. After this number of datagrams or after this time,
  /// the turn reads no further batch.
  private static let mostOfTurn = (datagrams: 256, time: Duration.milliseconds(4))

  /// - Throws: An error if this process cannot bind the port, or cannot create the certificate.
  init(
    _ configuration: WebRTCConfiguration, on thread: SocketThread, counting counters: WebRTCCounters
  ) throws {
    identity = try DTLSIdentity(at: Int64(WallClock.nowMs / 1_000))
    budget = HandshakeBudget(capacity: configuration.handshakes)
    let socket = try UDPSocket(at: configuration.listen, port: configuration.port)
    let port = socket.port
    addresses = configuration.hosts.map { UDPAddress(host: $0, port: port) }
    counters.receiveBuffer.set(socket.receiveBufferBytes)
    counters.sendBuffer.set(socket.sendBufferBytes)
    outgoing.joinsRuns = socket.dividesMessages
    self.socket = socket
    (self.thread, self.counters) = (thread, counters)
    alarm = ThreadTimer(on: thread)
    laneTimer = ThreadTimer(on: thread)
    watch = thread.watch(fileDescriptor: self.socket.descriptor) { [unowned self] in
      receiveAll()
    }
    hook = thread.addBeforePoll(isLast: true) { [unowned self] in
      lane.beginTurn()
      sendAll()
      turnTime = nil
    }
  }

  /// The size of the receive buffer, in bytes: at most ``UDPSocket/wantedBufferBytes``.
  var receiveBufferBytes: Int { socket.receiveBufferBytes }

  /// The size of the send buffer, in bytes: at most ``UDPSocket/wantedBufferBytes``.
  var sendBufferBytes: Int { socket.sendBufferBytes }

  /// The addresses of `media` in answers to browsers.
  var endpoints: String { addresses.map { "\($0.text):\($0.port)" }.joined(separator: " ") }

  func close() {
    alarm.cancel()
    laneTimer.cancel()
    sendAll()
    if let watch { thread.unwatch(watch) }
    if let hook { thread.removeBeforePoll(hook) }
    (watch, hook) = (nil, nil)
    for place in places.values { place.link = nil }
    (places, directory, owners, wakeTime) = ([:], PeerDemultiplexer(), [:], nil)
    (alarms, lane) = (SessionTimerQueue(), HandshakeQueue())
    counters.waitingHandshakes.set(0)
  }

  // MARK: Sessions

  /// Answers a session's offer.
  ///
  /// A later offer of the session keeps the session's connection.
  ///
  /// - Parameters:
  ///   - ssrc: The source of the mix for the session.
  ///   - video: The video that the session receives and sends.
  /// - Returns: The text of the answer, and the result of the negotiation.
  /// - Throws: `invalidArgument` if the offer is malformed, or if `media` cannot answer it.
  func answer(
    _ offer: String, of session: SessionID, sending ssrc: UInt32,
    _ video: BrowserVideoDirections = BrowserVideoDirections()
  ) throws(Status) -> (text: String, media: NegotiatedMedia) {
    do throws(SDPOffer.Problem) {
      return try answer(SDPOffer(offer), of: session, sending: ssrc, video)
    } catch {
      throw Status(.invalidArgument, error.text, reason: .malformed)
    }
  }

  private func answer(
    _ offer: SDPOffer, of session: SessionID, sending ssrc: UInt32, _ video: BrowserVideoDirections
  ) throws(SDPOffer.Problem) -> (text: String, media: NegotiatedMedia) {
    let media = try NegotiatedMedia(
      answering: offer, sending: video.tracks, after: places[session]?.peer.media)
    // A closed connection remains closed. The browser's new offer opens another connection.
    if places[session]?.peer.phase == .closed { remove(session) }
    let place = places[session] ?? newPlace(for: session, media)
    if !place.peer.media.isSameConnection(as: media) { lose(place) }
    place.peer.apply(media, at: thread.now)
    place.layers = video.layers
    place.link?.apply(media, layers: video.layers)
    place.version += 1
    places[session] = place
    flush(session)
    let answer = SDPAnswer(
      addresses: addresses, credentials: place.peer.local,
      fingerprint: identity.fingerprint.description, origin: (place.origin, place.version),
      ssrc: ssrc)
    return (answer.text(of: media), media)
  }

  private func newPlace(for session: SessionID, _ media: NegotiatedMedia) -> Place {
    let peer = Peer(local: .random(), media: media)
    directory.add(session, fragment: peer.local.fragment)
    counters.peers.set(places.count + 1)
    return Place(session, peer)
  }

  /// Removes a session. Afterwards, the port does not answer the session's connectivity checks.
  func remove(_ session: SessionID) {
    guard let place = places[session] else { return }
    place.peer.close(at: thread.now)
    flush(session)
    places[session] = nil
    lose(place)
    directory.remove(fragment: place.peer.local.fragment)
    alarms.cancel(session)
    counters.peers.set(places.count)
  }

  // MARK: Datagrams

  private func receiveAll() {
    var received = 0
    let start = ContinuousClock.now
    repeat {
      incoming.receive(over: socket.descriptor)
      for index in 0..<incoming.count {
        guard let (count, address) = incoming.copy(index, into: &room) else { continue }
        receive(count, from: address)
      }
      received += incoming.count
    } while incoming.count == DatagramBatch.capacity && received < Self.mostOfTurn.datagrams
      && ContinuousClock.now - start < Self.mostOfTurn.time
  }

  /// Queues a datagram for the end of this turn of the event loop. If the batch is full, sends the
  /// batch first.
  private func post(_ datagram: Span<UInt8>, to address: UDPAddress) {
    if outgoing.isFull { sendAll() }
    if !outgoing.append(datagram, to: address) { counters.unsent.increment() }
  }

  /// Sends the queued datagrams.
  ///
  /// This type drops datagrams that the system does not accept, as if the network had lost them.
  private func sendAll() {
    guard outgoing.count > 0 else { return }
    let unsent = outgoing.send(over: socket.descriptor)
    if unsent > 0 { counters.unsent.increment(by: UInt64(unsent)) }
  }

  /// Handles a datagram in ``room``.
  ///
  /// - Parameter count: The size of the datagram.
  private func receive(_ count: Int, from source: UDPAddress) {
    let kind = DatagramKind(room.span.extracting(..<count))
    if kind == .srtp { return receivePacket(count, from: source) }
    let address = PeerAddress.udp(source)
    guard let message = STUNMessage(room.span.extracting(..<count)) else {
      return receiveRest(count, kind, from: address)
    }
    guard let session = directory.owner(of: message, from: address),
      places[session]?.peer.receive(message, from: address, at: thread.now) == .check
    else { return counters.refusedChecks.increment() }
    counters.checks.increment()
    flush(session)
  }

  private func receiveRest(_ count: Int, _ kind: DatagramKind, from address: PeerAddress) {
    guard let session = directory.owner(of: address) else {
      return counters.passedOver.increment()
    }
    // A connected browser closes its connection with a DTLS datagram, so `media` receives this
    // datagram immediately. If the datagram waited behind the handshakes, `media` would send the
    // mix to the closed connection in the meantime.
    let isConnected = places[session]?.link != nil
    if !isConnected, kind == .dtls {
      return admit(.read(Array(room[..<count]), from: address), of: session)
    }
    guard let place = places[session] else { return counters.passedOver.increment() }
    let arrival = place.peer.receive(
      room.span.extracting(..<count), from: address, at: thread.now)
    switch arrival {
    case .handshake, .check: flush(session)
    case .media, .ignored: counters.passedOver.increment()
    }
  }

  /// Handles SRTP or SRTCP. The port accepts these datagrams only from addresses that ICE has
  /// validated for a peer, and only while this peer has a link.
  private func receivePacket(_ count: Int, from source: UDPAddress) {
    guard let place = owners[source], let link = place.link else {
      return counters.passedOver.increment()
    }
    var datagram = room.mutableSpan
    let opened = link.open(&datagram, count: count)
    guard let opened else { return counters.refusedPackets.increment() }
    let address = PeerAddress.udp(source)
    if place.confirmedAddress != address {
      place.peer.noteMedia(from: address)
      place.notePeer()
    }
    guard opened > 0 else { return }
    // `packet` refers to the same bytes as `room`. The variable is necessary, because a closure
    // cannot take bytes that this code borrows from a property.
    let packet = room
    onPacket(packet.span.extracting(..<opened), place.session)
  }

  // MARK: Peers

  /// Carries out the outputs of a peer, and sets the port's timer to the peer's deadline.
  private func flush(_ session: SessionID) {
    places[session]?.notePeer()
    for output in places[session]?.peer.takeOutputs() ?? [] { carryOut(output, of: session) }
    guard let deadline = places[session]?.peer.deadline else { return }
    alarms.set(deadline, for: session)
    wake(at: deadline)
  }

  private func carryOut(_ output: Peer.Output, of session: SessionID) {
    switch output {
    case .datagram(let datagram, to: .udp(let address)): post(datagram.span, to: address)
    case .proven(let address): assign(address, to: session)
    case .forgotten(let address): forget(address, of: session)
    case .needsHandshake(let role): admit(.begin(role), of: session)
    case .opened(let association): open(association, of: session)
    case .consentLost:
      counters.consentsLost.increment()
      onLoss(session)
    case .consentRestored: onOpen(session)
    case .closed(let ending): end(session, ending)
    }
  }

  private func assign(_ address: PeerAddress, to session: SessionID) {
    directory.assign(address, to: session)
    if case .udp(let source) = address { owners[source] = places[session] }
  }

  private func forget(_ address: PeerAddress, of session: SessionID) {
    directory.forget(address, of: session)
    guard case .udp(let source) = address, owners[source]?.session == session else { return }
    owners[source] = nil
  }

  private func wake(at time: ContinuousClock.Instant) {
    if let wakeTime, wakeTime <= time { return }
    wakeTime = time
    alarm.set(after: max(.zero, time - thread.now)) { [unowned self] in advanceDue() }
  }

  /// Advances the peers whose deadlines have passed, until this turn of the event loop has no time
  /// left.
  private func advanceDue() {
    wakeTime = nil
    let now = thread.now
    while lane.hasTime, let session = alarms.takeDue(at: now) {
      spend {
        places[session]?.peer.advance(to: now)
        flush(session)
      }
    }
    if let next = alarms.next { wake(at: next) }
  }
}

// MARK: - Handshakes

extension WebRTCUDPEndpoint {
  /// Carries out work of a handshake, now or when the work before it is done.
  private func admit(_ work: HandshakeQueue.Work, of session: SessionID) {
    if lane.isFree { return spend { carryOut(work, of: session) } }
    guard lane.append(work, of: session) else { return drop(work, of: session) }
    counters.waitingHandshakes.set(lane.count)
    laneTimer.setUnlessSet(after: .zero) { [unowned self] in carryOutWaiting() }
  }

  private func carryOutWaiting() {
    while let (session, work) = lane.next() { spend { carryOut(work, of: session) } }
    counters.waitingHandshakes.set(lane.count)
    guard lane.count > 0 else { return }
    laneTimer.set(after: .zero) { [unowned self] in carryOutWaiting() }
  }

  private func carryOut(_ work: HandshakeQueue.Work, of session: SessionID) {
    switch work {
    case .begin(let role): begin(role, of: session)
    case .read(let datagram, let address):
      switch places[session]?.peer.receive(datagram.span, from: address, at: thread.now) {
      case .handshake, .check, .media: flush(session)
      case .ignored, nil: counters.passedOver.increment()
      }
    }
  }

  /// Drops work for which the queue has no room.
  ///
  /// A browser sends a lost datagram again. If the work is the beginning of a handshake, refuses
  /// the handshake.
  private func drop(_ work: HandshakeQueue.Work, of session: SessionID) {
    switch work {
    case .begin:
      counters.handshakes[.tooManyHandshakes].increment()
      places[session]?.peer.close(at: thread.now)
      flush(session)
    case .read: counters.droppedHandshakes.increment()
    }
  }

  /// Performs a step of a handshake, and counts the duration of this step.
  private func spend(_ step: () -> Void) {
    let start = ContinuousClock.now
    step()
    lane.spend(ContinuousClock.now - start)
  }

  /// Begins the handshake of a browser after a successful connectivity check. Refuses the handshake
  /// if too many handshakes are in progress.
  private func begin(_ role: DTLSRole, of session: SessionID) {
    guard let media = places[session]?.peer.media else { return }
    if let refusal = beginHandshake(role, of: session, media) {
      counters.handshakes[refusal].increment()
      places[session]?.peer.close(at: thread.now)
    }
    flush(session)
  }

  /// Begins a handshake.
  ///
  /// - Returns: The reason for a refusal; `nil` if the handshake has begun.
  private func beginHandshake(
    _ role: DTLSRole, of session: SessionID, _ media: NegotiatedMedia
  ) -> DTLSHandshakeOutcome? {
    do { try budget.begin() } catch { return DTLSHandshakeOutcome(error) }
    do {
      let handshake = try DTLSHandshake(
        role, identity: identity,
        expecting: media.transport.fingerprints.compactMap { DTLSFingerprint($0) }, at: thread.now)
      places[session]?.isShakingHands = true
      places[session]?.peer.begin(handshake, at: thread.now)
      return nil
    } catch {
      budget.end()
      return .noMemory
    }
  }

  private func open(_ association: DTLSAssociation, of session: SessionID) {
    endHandshake(of: session, .completed)
    guard let place = places[session],
      let link = WebRTCLink(
        (association.sendKey, association.receiveKey), place.peer.media, layers: place.layers,
        transmit: { [unowned self] in send($0, to: place) })
    else { return }
    place.link = link
    place.security = BrowserMediaCiphers(association)
    onOpen(session)
  }

  private func end(_ session: SessionID, _ ending: Peer.Ending) {
    if case .failed(let failure) = ending {
      endHandshake(of: session, DTLSHandshakeOutcome(failure))
    } else {
      endHandshake(of: session, .abandoned)
    }
    places[session]?.link = nil
    onLoss(session)
  }

  /// Stops counting a handshake that is still in progress, so that another handshake can begin.
  private func endHandshake(of session: SessionID, _ outcome: DTLSHandshakeOutcome) {
    guard places[session]?.isShakingHands == true else { return }
    places[session]?.isShakingHands = false
    release(outcome)
  }

  private func release(_ outcome: DTLSHandshakeOutcome) {
    counters.handshakes[outcome].increment()
    budget.end()
  }

  /// Drops the link of a session. The browser may later connect again.
  private func lose(_ place: Place) {
    if place.isShakingHands { release(.abandoned) }
    (place.isShakingHands, place.link) = (false, nil)
    onLoss(place.session)
  }

  /// Returns the link of a session; `nil` before the end of the session's handshake.
  func link(of session: SessionID) -> WebRTCLink? { places[session]?.link }

  /// Returns the protection of a session's packets; `nil` before the end of the session's
  /// handshake.
  func security(of session: SessionID) -> BrowserMediaCiphers? { places[session]?.security }

  /// Returns the present destination of a session's packets, and the addresses of `media` for this
  /// session; `nil` if packets have no destination.
  func path(of session: SessionID) -> BrowserCandidatePair? {
    guard case .udp(let remote)? = places[session]?.peer.destination(at: thread.now) else {
      return nil
    }
    return BrowserCandidatePair(
      local: addresses.filter { $0.host.count == remote.host.count }, remote: remote)
  }

  private func send(_ datagram: Span<UInt8>, to place: Place) {
    guard let route = place.route, timeOfTurn() < route.end else { return }
    post(datagram, to: route.address)
  }

  private func timeOfTurn() -> ContinuousClock.Instant {
    if let turnTime { return turnTime }
    let now = thread.now
    turnTime = now
    return now
  }
}
