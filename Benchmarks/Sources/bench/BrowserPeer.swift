import RTP
import SRTP
import WebRTC
import ZeroMQ

/// A browser's connection to a media server: ICE, DTLS and SRTP on a UDP socket.
///
/// The peer sends an offer or answers an offer, and acts as the DTLS client. Only the peer's
/// ``SocketThread`` uses the peer.
final class BrowserPeer: BenchmarkAudioConnection {
  /// The peer's video.
  enum Video {
    case none
    case sends

    /// Receives this number of videos.
    case receives(Int = 1)
  }

  /// The certificate that all peers of this program share.
  let identity: DTLSIdentity

  /// The video in the peer's next offer or answer.
  var video: Video
  let credentials = ICECredentials.random()
  let ssrc = UInt32.random(in: 1 ..< .max)
  let videoSSRC: UInt32

  /// Called for each received packet of video from a ``VideoPacketGenerator``.
  var onVideo: () -> Void = {}

  /// Called for each received packet of video with the decrypted packet. If this closure is set,
  /// the peer decrypts all packets of video.
  var onVideoPacket: (([UInt8]) -> Void)?

  /// Called when the server requests a key frame of the peer's camera. Without this closure, the
  /// peer ignores RTCP.
  var onKeyFrameRequest: (() -> Void)?

  /// The address at which the server reaches the peer.
  let address: UDPAddress

  private let thread: SocketThread
  private var frames: VideoPacketGenerator
  private var videoSequence: UInt16 = 0
  private var socket: DatagramSocket?
  private var watch: PollWatchID?
  private var server = ICECredentials(fragment: "", password: "")
  private var serverAddress: UDPAddress?
  private var handshake: DTLSHandshake?
  private var deadline: ContinuousClock.Instant?
  private var isControlling = true
  private var isReachable = false
  private var lastCheck: ContinuousClock.Instant?
  private var sender: SRTPSender?
  private var receiver: SRTPReceiver?
  private var room = [UInt8](repeating: 0, count: DatagramSocket.mostBytes)

  /// The number of received RTP packets.
  private(set) var received = 0

  /// The time at which the first RTP packet arrived; `nil` before this packet.
  private(set) var firstPacket: ContinuousClock.Instant?

  /// The number of received packets that the peer tried to decrypt and that are not authentic.
  private(set) var refused = 0

  /// The peer decrypts only every n-th received packet, where n is this number, because the
  /// processor time that the peers use slows the server.
  private static let opened = 50

  /// The intervals between connectivity checks: the first interval applies before the first answer
  /// to a check, the second interval afterwards.
  private static let intervals = (Duration.milliseconds(100), Duration.seconds(2))

  /// Whether the handshake is done.
  var isReady: Bool { sender != nil }

  init(_ identity: DTLSIdentity, _ video: Video = .none, on thread: SocketThread) throws {
    (self.identity, self.video, self.thread) = (identity, video, thread)
    videoSSRC = ssrc + 1
    frames = VideoPacketGenerator(ssrc: videoSSRC)
    let socket = try DatagramSocket()
    let host = try DatagramSocket.ownHost().host
    address = UDPAddress(host: host, port: socket.address.port)
    self.socket = consume socket
  }

  /// Begins to check the address of the first candidate in the server's offer or answer.
  ///
  /// - Parameter offered: Whether the server has sent the offer. Otherwise, the peer has sent the
  ///   offer.
  func connect(_ description: String, offered: Bool = false) throws {
    isControlling = !offered
    let description = try SDPOffer(description)
    guard let section = description.sections.first,
      let fragment = description.value("ice-ufrag", of: section),
      let password = description.value("ice-pwd", of: section),
      let address = section.values("candidate").lazy.compactMap(Self.address).first
    else { throw BenchError.missing("A candidate of the server") }
    let fingerprints = description.values("fingerprint", of: section)
      .compactMap { DTLSFingerprint($0) }
    server = ICECredentials(fragment: fragment, password: password)
    handshake = try DTLSHandshake(
      .client, identity: identity, expecting: fingerprints, at: thread.now)
    serverAddress = address
    try connectSocket(to: address)
    advance()
  }

  private func connectSocket(to address: UDPAddress) throws {
    switch socket {
    case .some(let socket):
      try socket.connect(to: address)
      watch = thread.watch(fileDescriptor: socket.descriptor) { [unowned self] in receiveAll() }
    case .none: break
    }
  }

  /// Connects to a server without ICE and DTLS. Both sides protect all packets with the same key.
  func connect(to server: UDPAddress, with key: MasterKey) throws {
    sender = SRTPSender(key)
    receiver = SRTPReceiver(key)
    try connectSocket(to: server)
  }

  /// Reads the IPv4 address of a UDP candidate (RFC 8839, §5.1).
  private static func address(_ candidate: String) -> UDPAddress? {
    let parts = candidate.split(separator: " ")
    guard parts.count > 5, parts[1] == "1", parts[2].lowercased() == "udp",
      let port = UInt16(parts[5])
    else { return nil }
    let host = parts[4].split(separator: ".").compactMap { UInt8($0) }
    return host.count == 4 ? UDPAddress(host: host, port: port) : nil
  }

  /// Sends the next connectivity check if the check is due, and retransmits handshake messages if
  /// the retransmission is due. Without ICE, does nothing.
  func advance() {
    guard handshake != nil else { return }
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
    let name = Array("\(server.fragment):\(credentials.fragment)".utf8)
    let message = STUNMessage(
      .request, transaction: (0..<12).map { _ in .random(in: 0...255) },
      attributes: [
        .init(type: Attribute.username, bytes: name),
        .init(type: Attribute.priority, bytes: [0x6E, 0, 1, 0xFF]),
      ] + role)
    transmit(message.datagram(with: Array(server.password.utf8)))
  }

  /// The attributes of the peer's role: the side that offers has the controlling role (RFC 8445,
  /// §6.1.1).
  private var role: [STUNMessage.Value] {
    typealias Attribute = STUNMessage.Attribute
    let tieBreaker = [UInt8](repeating: 7, count: 8)
    guard isControlling else { return [.init(type: Attribute.iceControlled, bytes: tieBreaker)] }
    return [
      .init(type: Attribute.iceControlling, bytes: tieBreaker),
      .init(type: Attribute.useCandidate, bytes: []),
    ]
  }

  private func transmit(_ datagram: [UInt8]) {
    switch socket {
    case .some(let socket): socket.send(datagram)
    case .none: break
    }
  }

  // MARK: Receiving

  private func receiveAll() {
    while let count = receive() {
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
    guard let message = STUNMessage(room.span.extracting(..<count)) else { return }
    // A server without ICE lite (RFC 8445, §2.5) sends checks of its own.
    if message.kind == .request { answer(message) }
    guard !isReachable, message.kind == .success else { return }
    isReachable = true
    advance()
  }

  private func answer(_ check: STUNMessage) {
    guard let serverAddress else { return }
    let mapped = STUNMessage.mapped(serverAddress, transaction: check.transaction)
    let answer = STUNMessage(.success, transaction: check.transaction, attributes: [mapped])
    transmit(answer.datagram(with: Array(credentials.password.utf8)))
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
  }

  private func receivePacket(_ count: Int) {
    // RTCP has the packet types 192 to 223 (RFC 5761, §4).
    guard count > 12, !(192...223).contains(room[1]) else { return receiveControl(count) }
    if firstPacket == nil { firstPacket = .now }
    let isVideo = room[1] & 0x7F == VideoPacketGenerator.payloadType
    if isVideo, let onVideoPacket {
      if let size = open(count) { onVideoPacket(Array(room[..<size])) }
    } else if received.isMultiple(of: Self.opened) {
      _ = open(count)
    }
    received += 1
    if isVideo, count >= VideoPacketGenerator.packetBytes { onVideo() }
  }

  /// Decrypts a packet, and returns the packet's size; `nil` if the packet is not authentic.
  private func open(_ count: Int) -> Int? {
    var elements = room.mutableSpan
    var packet = elements.mutableBytes
    guard case .success(let size)? = receiver?.openRTP(&packet, count: count) else {
      refused += 1
      return nil
    }
    return size
  }

  private func receiveControl(_ count: Int) {
    guard let onKeyFrameRequest, let size = openControl(count) else { return }
    let compound = Array(room[..<size])
    var reader = RTCPReader()
    while let packet = reader.next(in: compound.span) {
      switch packet {
      case .pictureLoss(_, media: videoSSRC): onKeyFrameRequest()
      case .fullIntraRequest(let list)
      where (0..<list.count).contains(where: {
        list.request($0, in: compound.span).media == videoSSRC
      }):
        onKeyFrameRequest()
      default: break
      }
    }
  }

  private func openControl(_ count: Int) -> Int? {
    var elements = room.mutableSpan
    var packet = elements.mutableBytes
    guard case .success(let size)? = receiver?.openRTCP(&packet, count: count) else { return nil }
    return size
  }

  // MARK: Sending

  func show() {}

  func send(_ payload: [UInt8], tick: Int, level: UInt8) {
    protect(AudioPacket.bytes(payload, tick: tick, level: level, ssrc: ssrc))
  }

  /// Sends the next frame of the camera in `count` packets.
  func sendFrame(of count: Int, isKey: Bool) {
    for packet in frames.next(of: count, isKey: isKey) { protect(packet) }
  }

  /// Sends a packet of the camera.
  func sendVideo(_ payload: [UInt8], timestamp: UInt32, isLast: Bool) {
    videoSequence &+= 1
    var packet = [0x80, (isLast ? 0x80 : 0) | VideoPacketGenerator.payloadType]
    packet += [UInt8(videoSequence >> 8), UInt8(truncatingIfNeeded: videoSequence)]
    for word in [timestamp, videoSSRC] {
      packet += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    protect(packet + payload)
  }

  /// Sends a packet as SRTP.
  private func protect(_ packet: consuming [UInt8]) {
    let count = packet.count
    packet += [UInt8](repeating: 0, count: 32)
    var elements = packet.mutableSpan
    var span = elements.mutableBytes
    guard case .success(let size)? = sender?.protectRTP(&span, count: count) else { return }
    switch socket {
    case .some(let socket): socket.send(packet, count: size)
    case .none: break
    }
  }

  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    socket = nil
  }
}
