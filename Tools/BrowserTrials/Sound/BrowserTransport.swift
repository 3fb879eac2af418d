internal import Output
internal import SRTP
internal import WebRTC
internal import ZeroMQ

/// A browser's connection to `media`: ICE (RFC 8445), DTLS and SRTP (RFC 5764) on a UDP socket.
///
/// The browser sends the offer, and `media` carries out ICE lite, so the browser has the
/// controlling role of ICE. In the answer, `media` chooses the role of the DTLS server, so the
/// browser acts as the DTLS client. Only the code on the transport's thread uses the transport.
final class BrowserTransport {
  let credentials = ICECredentials.random()

  /// Called for each authentic RTP packet. The packet is at the start of the array, and the second
  /// argument is the packet's size in bytes.
  var onPacket: ([UInt8], Int) -> Void = { _, _ in }

  /// Called once, when the transport can send and receive packets.
  var onReady: () -> Void = {}

  private let identity: DTLSIdentity
  private let thread: SocketThread
  private var socket: DatagramConnection?
  private var watch: PollWatchID?
  private var serverCredentials = ICECredentials(fragment: "", password: "")
  private var handshake: DTLSHandshake?
  private var deadline: ContinuousClock.Instant?
  private var isReachable = false
  private var lastCheck: ContinuousClock.Instant?
  private var sender: SRTPSender?
  private var receiver: SRTPReceiver?
  private var room = [UInt8](repeating: 0, count: DatagramConnection.mostBytes)

  /// The intervals between connectivity checks: the first interval applies before the first answer
  /// to a check, the second interval afterwards.
  private static let intervals = (Duration.milliseconds(100), Duration.seconds(2))

  /// The number of bytes that SRTP may add to a packet.
  private static let overhead = 32

  /// Whether the handshake is done.
  var isReady: Bool { sender != nil }

  init(_ identity: DTLSIdentity, on thread: SocketThread) {
    (self.identity, self.thread) = (identity, thread)
  }

  /// The attributes of an offer's section that describe the transport.
  var description: [String] {
    [
      "a=ice-ufrag:\(credentials.fragment)", "a=ice-pwd:\(credentials.password)",
      "a=fingerprint:\(identity.fingerprint)", "a=setup:actpass", "a=rtcp-mux",
    ]
  }

  /// Begins to send connectivity checks to the address of the first IPv4 candidate in the server's
  /// answer.
  ///
  /// - Throws: ``CommandFailure`` if the answer lacks this candidate or the ICE credentials, or if
  ///   the system refuses the socket; `OpenSSLError` if OpenSSL is out of memory.
  func connect(_ answer: SDPOffer) throws {
    guard let section = answer.sections.first,
      let fragment = answer.value("ice-ufrag", of: section),
      let password = answer.value("ice-pwd", of: section),
      let address = section.values("candidate").lazy.compactMap(Self.address).first
    else {
      throw CommandFailure.precondition(
        "The answer to a browser's offer has no IPv4 candidate or no ICE credentials.")
    }
    serverCredentials = ICECredentials(fragment: fragment, password: password)
    let fingerprints = answer.values("fingerprint", of: section)
      .compactMap { DTLSFingerprint($0) }
    handshake = try DTLSHandshake(
      .client, identity: identity, expecting: fingerprints, at: thread.now)
    let socket = try DatagramConnection(to: address)
    watch = thread.watch(fileDescriptor: socket.descriptor) { [unowned self] in receiveAll() }
    self.socket = consume socket
    advance()
  }

  /// Reads the IPv4 address of a UDP candidate (RFC 8839, §5.1).
  static func address(_ candidate: String) -> UDPAddress? {
    let parts = candidate.split(separator: " ")
    guard parts.count > 5, parts[1] == "1", parts[2].lowercased() == "udp",
      let port = UInt16(parts[5])
    else { return nil }
    let host = parts[4].split(separator: ".").compactMap { UInt8($0) }
    return host.count == 4 ? UDPAddress(host: host, port: port) : nil
  }

  /// Sends the next connectivity check if this check is due. Starts the handshake, or repeats
  /// messages of the handshake if these messages are due.
  func advance() {
    guard socket != nil else { return }
    let now = thread.now
    let interval = isReachable ? Self.intervals.1 : Self.intervals.0
    if lastCheck.map({ now - $0 >= interval }) ?? true {
      lastCheck = now
      check()
    }
    if isReachable, !isReady, let handshake, deadline.map({ now >= $0 }) ?? true {
      perform(handshake.poll(at: now))
    }
  }

  private func check() {
    typealias Attribute = STUNMessage.Attribute
    let name = Array("\(serverCredentials.fragment):\(credentials.fragment)".utf8)
    let message = STUNMessage(
      .request, transaction: (0..<12).map { _ in .random(in: 0...255) },
      attributes: [
        .init(type: Attribute.username, bytes: name),
        .init(type: Attribute.priority, bytes: [0x6E, 0, 1, 0xFF]),
        .init(type: Attribute.iceControlling, bytes: [UInt8](repeating: 7, count: 8)),
        .init(type: Attribute.useCandidate, bytes: []),
      ])
    transmit(message.datagram(with: Array(serverCredentials.password.utf8)))
  }

  private func transmit(_ datagram: [UInt8]) { transmit(datagram, count: datagram.count) }

  private func transmit(_ bytes: [UInt8], count: Int) {
    switch socket {
    case .some(let socket): socket.send(bytes, count: count)
    case .none: break
    }
  }

  /// Encrypts an RTP packet, and sends it. A packet that is sent before the call of ``onReady`` is
  /// lost.
  func send(_ packet: [UInt8]) {
    var bytes = packet + [UInt8](repeating: 0, count: Self.overhead)
    var elements = bytes.mutableSpan
    var span = unsafe elements.mutableBytes
    guard case .success(let size)? = sender?.protectRTP(&span, count: packet.count) else { return }
    transmit(bytes, count: size)
  }

  // MARK: Receiving

  private func receiveAll() {
    while let count = receive() {
      // The first byte of a datagram shows its protocol (RFC 7983).
      switch room[0] {
      case 0...3: receiveCheck(count)
      case 20...63: receiveHandshake(count)
      case 128...191: receivePacket(count)
      default: break
      }
    }
  }

  private func receive() -> Int? {
    switch socket {
    case .some(let socket): socket.receive(into: &room)
    case .none: nil
    }
  }

  private func receiveCheck(_ count: Int) {
    guard !isReachable, STUNMessage(room.span.extracting(..<count))?.kind == .success else {
      return
    }
    isReachable = true
    advance()
  }

  private func receiveHandshake(_ count: Int) {
    guard let handshake else { return }
    perform(handshake.receive(Array(room[..<count]), at: thread.now))
  }

  private func perform(_ step: DTLSStep) {
    step.datagrams.forEach(transmit)
    deadline = step.deadline
    guard !isReady, case .done(let association) = step.outcome else { return }
    sender = SRTPSender(association.sendKey)
    receiver = SRTPReceiver(association.receiveKey)
    onReady()
  }

  private func receivePacket(_ count: Int) {
    // RTCP has the packet types 192 to 223 (RFC 5761, §4).
    guard count > 12, !(192...223).contains(room[1]) else { return }
    var elements = room.mutableSpan
    var packet = unsafe elements.mutableBytes
    guard case .success(let size)? = receiver?.openRTP(&packet, count: count) else { return }
    onPacket(room, size)
  }

  /// Ends the transport without a message to the server.
  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    socket = nil
  }
}
