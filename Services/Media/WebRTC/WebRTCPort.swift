import MeetingModel
import ServiceHost
import SRTP
import WebRTC
import ZeroMQ

/// The port to which all browsers send, and the peer of each browser's session.
///
/// It answers their connectivity checks and their handshakes. When one completed, the browser has a
/// link. Lives on media's socket thread.
final class WebRTCPort {
  private typealias Peer = WebRTCPeer<DTLSHandshake>

  private struct Place {
    var peer: Peer

    /// Carries the session's packets; `nil` before a handshake completed.
    var link: WebRTCLink?

    /// What protects the packets; `nil` before a handshake completed.
    var security: BrowserSecurity?

    /// Whether the peer's handshake has a place in the budget.
    var isShakingHands = false

    /// Media's sources of the pictures that the browser sends.
    var layers: [UInt32] = []

    /// How many answers the session got.
    var version: UInt64 = 0
    let origin: UInt64
  }

  /// A browser reached media: its session has a link.
  var onOpen: (SessionID) -> Void = { _ in }

  /// A browser cannot be reached any more, or not for now.
  var onLoss: (SessionID) -> Void = { _ in }

  /// A packet of a browser's session, which is lent.
  var onPacket: (Span<UInt8>, SessionID) -> Void = { _, _ in }

  private let identity: DTLSIdentity
  private var budget: HandshakeBudget
  private let addresses: [UDPAddress]
  private let socket: UDPSocket
  private let thread: SocketThread
  private let counters: WebRTCCounters
  private let alarm: Alarm
  private var wakeTime: ContinuousClock.Instant?
  private var watch: WatchID?
  private var places: [SessionID: Place] = [:]
  private var directory = PeerDirectory<SessionID>()

  /// The datagrams that came last, and the one of them that is looked at.
  private var incoming = DatagramBatch()
  private var room = [UInt8](repeating: 0, count: DatagramBatch.datagramBytes)

  /// The datagrams that leave with this turn of the loop.
  private var outgoing = DatagramBatch()
  private var hook: HookID?

  /// Datagrams of one turn of the loop.
  private static let mostOfTurn = 256

  /// - Throws: What the port cannot be had for, or the certificate not be made.
  init(
    _ configuration: WebRTCConfiguration, on thread: SocketThread, counting counters: WebRTCCounters
  ) throws {
    identity = try DTLSIdentity(at: Int64(WallClock.nowMs / 1_000))
    budget = HandshakeBudget(capacity: configuration.handshakes)
    let socket = try UDPSocket(at: configuration.listen, port: configuration.port)
    let port = socket.port
    addresses = configuration.hosts.map { UDPAddress(host: $0, port: port) }
    counters.receiveBuffer.set(socket.receiveBufferBytes)
    self.socket = socket
    (self.thread, self.counters) = (thread, counters)
    alarm = Alarm(on: thread)
    watch = thread.watch(fileDescriptor: self.socket.descriptor) { [unowned self] in
      receiveAll()
    }
    hook = thread.addBeforePoll(isLast: true) { [unowned self] in sendAll() }
  }

  /// How many bytes of datagrams may wait for this process: at best
  /// ``UDPSocket/wantedBufferBytes``.
  var receiveBufferBytes: Int { socket.receiveBufferBytes }

  /// Where browsers are told to come.
  var endpoints: String { addresses.map { "\($0.text):\($0.port)" }.joined(separator: " ") }

  func close() {
    alarm.cancel()
    sendAll()
    if let watch { thread.unwatch(watch) }
    if let hook { thread.removeBeforePoll(hook) }
    (watch, hook) = (nil, nil)
    (places, directory, wakeTime) = ([:], PeerDirectory(), nil)
  }

  // MARK: Sessions

  /// Answers a session's offer; another one of the same session goes on with what was agreed.
  ///
  /// - Parameters:
  ///   - ssrc: The source of the mix that the session hears.
  ///   - video: The pictures that it gets and sends.
  /// - Returns: The answer's text, and what was agreed.
  /// - Throws: `invalidArgument` for what is no offer, or none that can be answered.
  func answer(
    _ offer: String, of session: SessionID, sending ssrc: UInt32,
    _ video: VideoRequest = VideoRequest()
  ) throws(Status) -> (text: String, media: NegotiatedMedia) {
    do throws(SDPOffer.Problem) {
      return try answer(SDPOffer(offer), of: session, sending: ssrc, video)
    } catch {
      throw Status(.invalidArgument, error.text, reason: .malformed)
    }
  }

  private func answer(
    _ offer: SDPOffer, of session: SessionID, sending ssrc: UInt32, _ video: VideoRequest
  ) throws(SDPOffer.Problem) -> (text: String, media: NegotiatedMedia) {
    let media = try NegotiatedMedia(
      answering: offer, sending: video.tracks, after: places[session]?.peer.media)
    // A connection that is over stays over. The browser's next offer begins another one.
    if places[session]?.peer.phase == .closed { remove(session) }
    var place = places[session] ?? newPlace(for: session, media)
    if !place.peer.media.isSameConnection(as: media) { lose(&place, of: session) }
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
    return Place(peer: peer, origin: UInt64.random(in: 1...(1 << 62)))
  }

  /// The session is over: its checks are not answered any more.
  func remove(_ session: SessionID) {
    guard places[session] != nil else { return }
    places[session]?.peer.close(at: thread.now)
    flush(session)
    guard var place = places.removeValue(forKey: session) else { return }
    lose(&place, of: session)
    directory.remove(fragment: place.peer.local.fragment)
    counters.peers.set(places.count)
  }

  // MARK: Datagrams

  private func receiveAll() {
    var received = 0
    repeat {
      incoming.receive(over: socket.descriptor)
      for index in 0..<incoming.count {
        guard let (count, address) = incoming.copy(index, into: &room) else { continue }
        receive(count, from: .udp(address))
      }
      received += incoming.count
    } while incoming.count == DatagramBatch.capacity && received < Self.mostOfTurn
  }

  /// A datagram leaves with this turn of the loop, or sooner if many do.
  private func post(_ datagram: Span<UInt8>, to address: UDPAddress) {
    if outgoing.isFull { sendAll() }
    if !outgoing.append(datagram, to: address) { counters.unsent.increment() }
  }

  /// Sends what was gathered. What the system does not take is lost, as on any way to a browser.
  private func sendAll() {
    guard outgoing.count > 0 else { return }
    let unsent = outgoing.send(over: socket.descriptor)
    if unsent > 0 { counters.unsent.increment(by: UInt64(unsent)) }
  }

  /// - Parameter count: Bytes of the datagram, which is in ``room``.
  private func receive(_ count: Int, from address: PeerAddress) {
    guard let message = STUNMessage(room.span.extracting(..<count)) else {
      return receiveRest(count, from: address)
    }
    guard let session = directory.owner(of: message, from: address),
      places[session]?.peer.receive(message, from: address, at: thread.now) == .check
    else { return counters.refusedChecks.increment() }
    counters.checks.increment()
    flush(session)
  }

  private func receiveRest(_ count: Int, from address: PeerAddress) {
    guard let session = directory.owner(of: address),
      let arrival = places[session]?.peer.receive(
        room.span.extracting(..<count), from: address, at: thread.now)
    else { return counters.passedOver.increment() }
    switch arrival {
    case .media: receivePacket(count, of: session)
    case .handshake, .check: flush(session)
    case .ignored: counters.passedOver.increment()
    }
  }

  private func receivePacket(_ count: Int, of id: SessionID) {
    guard let link = places[id]?.link else { return counters.passedOver.increment() }
    var datagram = room.mutableSpan
    let opened = link.open(&datagram, count: count)
    guard let opened else { return counters.refusedPackets.increment() }
    guard opened > 0 else { return }
    // A second reference, no copy: a closure cannot take bytes that a property lends.
    let packet = room
    onPacket(packet.span.extracting(..<opened), id)
  }

  // MARK: Peers

  /// Does what a peer asks for, and wakes up for it in time.
  private func flush(_ session: SessionID) {
    for output in places[session]?.peer.takeOutputs() ?? [] { carryOut(output, of: session) }
    if let deadline = places[session]?.peer.deadline { wake(at: deadline) }
  }

  private func carryOut(_ output: Peer.Output, of session: SessionID) {
    switch output {
    case .datagram(let datagram, to: .udp(let address)): post(datagram.span, to: address)
    case .proven(let address): directory.assign(address, to: session)
    case .forgotten(let address): directory.forget(address, of: session)
    case .needsHandshake(let role): begin(role, of: session)
    case .opened(let association): open(association, of: session)
    case .consentLost:
      counters.consentsLost.increment()
      onLoss(session)
    case .consentRestored: onOpen(session)
    case .closed(let ending): end(session, ending)
    }
  }

  private func wake(at time: ContinuousClock.Instant) {
    if let wakeTime, wakeTime <= time { return }
    wakeTime = time
    alarm.set(after: max(.zero, time - thread.now)) { [unowned self] in advanceAll() }
  }

  /// Tells the time to the peers that wait for it.
  private func advanceAll() {
    wakeTime = nil
    let now = thread.now
    for session in Array(places.keys) {
      places[session]?.peer.advance(to: now)
      flush(session)
    }
  }
}

// MARK: - Handshakes

extension WebRTCPort {
  /// Begins the handshake of a browser that ICE has proven, or refuses it if too many go on.
  private func begin(_ role: DTLSRole, of session: SessionID) {
    guard let media = places[session]?.peer.media else { return }
    if let refusal = beginHandshake(role, of: session, media) {
      counters.handshakes[refusal].increment()
      places[session]?.peer.close(at: thread.now)
    }
    flush(session)
  }

  /// - Returns: Why there is no handshake; `nil`: it goes on.
  private func beginHandshake(
    _ role: DTLSRole, of session: SessionID, _ media: NegotiatedMedia
  ) -> HandshakeOutcome? {
    do { try budget.begin() } catch { return HandshakeOutcome(error) }
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
    guard let media = places[session]?.peer.media,
      let link = WebRTCLink(
        (association.sendKey, association.receiveKey), media,
        layers: places[session]?.layers ?? [], transmit: { [unowned self] in send($0, to: session) }
      )
    else { return }
    places[session]?.link = link
    places[session]?.security = BrowserSecurity(association)
    onOpen(session)
  }

  private func end(_ session: SessionID, _ ending: Peer.Ending) {
    if case .failed(let failure) = ending {
      endHandshake(of: session, HandshakeOutcome(failure))
    } else {
      endHandshake(of: session, .abandoned)
    }
    places[session]?.link = nil
    onLoss(session)
  }

  /// Frees the handshake's place, if it still goes on.
  private func endHandshake(of session: SessionID, _ outcome: HandshakeOutcome) {
    guard places[session]?.isShakingHands == true else { return }
    places[session]?.isShakingHands = false
    release(outcome)
  }

  private func release(_ outcome: HandshakeOutcome) {
    counters.handshakes[outcome].increment()
    budget.end()
  }

  /// The place's browser comes back by another connection, or never.
  private func lose(_ place: inout Place, of session: SessionID) {
    if place.isShakingHands { release(.abandoned) }
    (place.isShakingHands, place.link) = (false, nil)
    onLoss(session)
  }

  /// The link of a session whose browser completed a handshake; `nil`: there is none.
  func link(of session: SessionID) -> WebRTCLink? { places[session]?.link }

  /// Returns what protects a session's packets; `nil` before a handshake completed.
  func security(of session: SessionID) -> BrowserSecurity? { places[session]?.security }

  /// Returns where a session's packets go now, and the addresses of media that its answer names
  /// for that; `nil`: packets go nowhere.
  func path(of session: SessionID) -> BrowserPath? {
    guard case .udp(let remote)? = places[session]?.peer.destination(at: thread.now) else {
      return nil
    }
    return BrowserPath(
      local: addresses.filter { $0.host.count == remote.host.count }, remote: remote)
  }

  private func send(_ datagram: Span<UInt8>, to session: SessionID) {
    guard case .udp(let address)? = places[session]?.peer.destination(at: thread.now) else {
      return
    }
    post(datagram, to: address)
  }
}
