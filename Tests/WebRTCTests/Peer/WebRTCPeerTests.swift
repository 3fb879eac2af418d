import Testing
import WebRTC

@Suite struct WebRTCPeerTests {
  private typealias Peer = WebRTCPeer<ScriptedHandshake>

  private let local = ICECredentials(fragment: "here", password: "a password of 22 bytes")
  private let address = PeerAddress.udp(UDPAddress(host: [192, 0, 2, 7], port: 4_000))
  private let other = PeerAddress.udp(UDPAddress(host: [198, 51, 100, 4], port: 9))
  private let now = ContinuousClock.now

  private func media(_ name: String = "chromium-camera") throws -> NegotiatedMedia {
    try AnswerVectors.answer.negotiate(SDPOffer(AnswerVectors.text("\(name).offer")))
  }

  private func peer() throws -> Peer { try Peer(local: local, media: media()) }

  private func check(
    nominates: Bool = true, from fragment: String = "F7gI", password: String? = nil
  ) -> [UInt8] {
    var attributes = [
      STUNMessage.Value(
        type: STUNMessage.Attribute.username, bytes: Array("here:\(fragment)".utf8))
    ]
    if nominates {
      attributes.append(STUNMessage.Value(type: STUNMessage.Attribute.useCandidate, bytes: []))
    }
    return STUNMessage(.request, transaction: Array(1...12), attributes: attributes)
      .datagram(with: Array((password ?? local.password).utf8))
  }

  /// Returns a peer with a validated address, whose handshake has begun.
  private func handshaking(nominates: Bool = true) throws -> Peer {
    var peer = try peer()
    _ = peer.receive(check(nominates: nominates).span, from: address, at: now)
    peer.begin(ScriptedHandshake(), at: now)
    _ = peer.takeOutputs()
    return peer
  }

  private func open() throws -> Peer {
    var peer = try handshaking()
    _ = peer.receive([ScriptedHandshake.Byte.lastFlight].span, from: address, at: now)
    _ = peer.takeOutputs()
    return peer
  }

  /// Returns the outputs of a peer in words, with the kind of each datagram.
  private func said(_ peer: inout Peer) -> [String] {
    peer.takeOutputs().map { output in
      switch output {
      case .datagram(let datagram, let to):
        "\(DatagramKind(datagram.span)) to \(to == address ? "address" : "other")"
      case .proven(let proven): "proven \(proven == address ? "address" : "other")"
      case .forgotten(let gone): "forgotten \(gone == address ? "address" : "other")"
      case .needsHandshake(let role): "needs \(role)"
      case .consentLost: "consent lost"
      case .consentRestored: "consent restored"
      case .opened(let association): "opened with \(association)"
      case .closed(let ending): "closed: \(ending)"
      }
    }
  }

  // MARK: Checking

  @Test func `a peer waits for an authentic check and then needs a handshake`() throws {
    var peer = try peer()
    #expect(peer.phase == .checking && peer.deadline == nil)
    #expect(peer.receive(check(password: "wrong").span, from: address, at: now) == .check)
    #expect(said(&peer) == ["stun to address"])
    #expect(peer.phase == .checking && peer.destination(at: now) == nil)
    #expect(peer.receive(check(nominates: false).span, from: address, at: now) == .check)
    #expect(said(&peer) == ["stun to address", "proven address", "needs server"])
    #expect(peer.phase == .handshaking && peer.destination(at: now) == nil)
    #expect(peer.receive(check().span, from: address, at: now + .seconds(1)) == .check)
    #expect(said(&peer) == ["stun to address"])
    #expect(peer.destination(at: now + .seconds(1)) == address)
  }

  @Test func `from an address that is not proven, a peer accepts only checks`() throws {
    var peer = try handshaking()
    let flight = [ScriptedHandshake.Byte.flight]
    #expect(peer.receive(flight.span, from: other, at: now) == .ignored)
    #expect(peer.receive([128, 111].span, from: other, at: now) == .ignored)
    #expect(said(&peer).isEmpty)
    var opened = try open()
    #expect(opened.receive([128, 111].span, from: other, at: now) == .ignored)
  }

  @Test func `a peer passes on no datagram before its handshake starts`() throws {
    var peer = try peer()
    let flight = [ScriptedHandshake.Byte.flight]
    #expect(peer.receive(flight.span, from: address, at: now) == .ignored)
    _ = peer.receive(check().span, from: address, at: now)
    #expect(peer.receive(flight.span, from: address, at: now) == .ignored)
    peer.begin(ScriptedHandshake(), at: now)
    _ = peer.takeOutputs()
    #expect(peer.receive(flight.span, from: address, at: now) == .handshake)
    #expect(said(&peer) == ["dtls to address"])
  }

  // MARK: Handshaking

  @Test func `before a nomination, a peer answers a handshake flight at the sender's address`()
    throws
  {
    var peer = try handshaking(nominates: false)
    _ = peer.receive([ScriptedHandshake.Byte.flight].span, from: address, at: now)
    #expect(said(&peer) == ["dtls to address"])
  }

  @Test func `a flight is sent again at the deadline, to the browser's current address`() throws {
    var peer = try handshaking()
    _ = peer.receive([ScriptedHandshake.Byte.flight].span, from: address, at: now)
    #expect(peer.deadline == now + .seconds(1))
    _ = peer.receive(check().span, from: other, at: now)
    _ = peer.takeOutputs()
    peer.advance(to: now + .milliseconds(999))
    #expect(said(&peer).isEmpty)
    peer.advance(to: now + .seconds(1))
    #expect(said(&peer) == ["dtls to other"])
    #expect(peer.deadline == now + .seconds(2))
  }

  @Test func `a completed handshake opens the peer once`() throws {
    var peer = try handshaking()
    let last = [ScriptedHandshake.Byte.lastFlight]
    #expect(peer.receive([128, 111].span, from: address, at: now) == .ignored)
    #expect(peer.receive(last.span, from: address, at: now) == .handshake)
    #expect(said(&peer) == ["opened with keys"] && peer.phase == .open)
    #expect(peer.receive(last.span, from: address, at: now) == .handshake)
    #expect(said(&peer).isEmpty)
    #expect(peer.receive([128, 111].span, from: address, at: now) == .media)
    #expect(peer.deadline == now + .seconds(30))
  }

  @Test(
    arguments: [
      (ScriptedHandshake.Byte.nonsense, Peer.Ending.failed("malformed")),
      (ScriptedHandshake.Byte.closing, .left),
    ])
  private func `the end of a handshake closes the peer and gives the cause`(
    byte: UInt8, ending: Peer.Ending
  ) throws {
    var peer = try handshaking()
    _ = peer.receive([byte].span, from: address, at: now)
    #expect(said(&peer) == ["dtls to address", "forgotten address", "closed: \(ending)"])
    #expect(peer.phase == .closed && peer.deadline == nil)
    #expect(peer.receive(check().span, from: address, at: now) == .ignored)
    #expect(peer.destination(at: now) == nil && said(&peer).isEmpty)
  }

  // MARK: Open

  @Test
  func `after a check from a new address, a browser can use its existing keys at this address`()
    throws
  {
    var peer = try open()
    _ = peer.receive(check().span, from: other, at: now + .seconds(5))
    #expect(said(&peer) == ["stun to other", "proven other"])
    #expect(peer.destination(at: now + .seconds(5)) == other && peer.phase == .open)
    #expect(peer.receive([128, 111].span, from: other, at: now + .seconds(5)) == .media)
  }

  @Test
  func `after a check, media moves to a new NAT address with the first packet from this address`()
    throws
  {
    var peer = try open()
    _ = peer.receive(check(nominates: false).span, from: other, at: now)
    #expect(said(&peer) == ["stun to other", "proven other"])
    #expect(peer.receive([128, 111].span, from: other, at: now) == .media)
    #expect(peer.destination(at: now) == address)
    peer.noteMedia(from: other)
    #expect(peer.destination(at: now) == other)
  }

  @Test func `media confirms the address from which it arrives, until a newer address has media`()
    throws
  {
    var peer = try open()
    #expect(peer.confirmedAddress == nil)
    peer.noteMedia(from: address)
    #expect(peer.confirmedAddress == address)
    _ = peer.receive(check(nominates: false).span, from: other, at: now)
    #expect(peer.confirmedAddress == address)
    let confirmed = peer
    peer.noteMedia(from: address)
    #expect(peer.route == confirmed.route && peer.confirmedAddress == address)
    peer.noteMedia(from: other)
    #expect(peer.route?.address == other && peer.confirmedAddress == other)
    peer.close(at: now)
    #expect(peer.route == nil)
  }

  @Test func `consent ends 30 s after the last check, and another check restores the consent`()
    throws
  {
    var peer = try open()
    #expect(peer.deadline == now + .seconds(30))
    peer.advance(to: now + .seconds(30))
    #expect(said(&peer) == ["consent lost"])
    #expect(peer.destination(at: now + .seconds(30)) == nil && peer.deadline == nil)
    #expect(peer.phase == .open)
    _ = peer.receive(check(nominates: false).span, from: address, at: now + .seconds(40))
    #expect(said(&peer) == ["stun to address", "consent restored"])
    #expect(peer.destination(at: now + .seconds(40)) == address)
    #expect(peer.deadline == now + .seconds(70))
  }

  @Test func `a peer sends no handshake messages without consent`() throws {
    var peer = try handshaking()
    _ = peer.receive([ScriptedHandshake.Byte.flight].span, from: address, at: now)
    _ = peer.takeOutputs()
    peer.advance(to: now + .seconds(31))
    #expect(said(&peer) == ["consent lost"])
  }

  @Test func `a peer with nine addresses forgets the oldest address`() throws {
    var peer = try open()
    let more = (1...8).map { PeerAddress.udp(UDPAddress(host: [10, 0, 0, 1], port: $0)) }
    for address in more {
      _ = peer.receive(check().span, from: address, at: now + .seconds(1))
    }
    let outputs = said(&peer)
    #expect(outputs.filter { $0 == "forgotten address" }.count == 1)
    #expect(outputs.filter { $0 == "proven other" }.count == 8)
    #expect(peer.receive([128].span, from: address, at: now + .seconds(1)) == .ignored)
  }

  // MARK: Commands

  @Test func `another offer for the same connection changes only the agreed media`()
    throws
  {
    var peer = try open()
    try peer.apply(media("chromium-simulcast"), at: now)
    #expect(peer.phase == .open && said(&peer).isEmpty)
    #expect(peer.media.sections[1].rids.count == 3)
  }

  @Test func `if the client reconnects, the peer starts again and keeps the server's credentials`()
    throws
  {
    var peer = try open()
    try peer.apply(media("firefox-listener"), at: now)
    #expect(said(&peer) == ["dtls to address", "forgotten address"])
    #expect(peer.phase == .checking && peer.local == local && peer.deadline == nil)
    #expect(peer.receive([128].span, from: address, at: now) == .ignored)
    #expect(peer.receive(check().span, from: address, at: now) == .check)
    #expect(peer.phase == .checking)
    _ = peer.takeOutputs()
    _ = peer.receive(check(from: "04b8a4d1").span, from: address, at: now)
    #expect(said(&peer) == ["stun to address", "proven address", "needs server"])
  }

  @Test func `when its owner closes a peer, the peer notifies the browser and stays closed`() throws
  {
    var peer = try open()
    peer.close(at: now)
    #expect(said(&peer) == ["dtls to address", "forgotten address", "closed: released"])
    peer.close(at: now)
    peer.advance(to: now + .seconds(60))
    peer.begin(ScriptedHandshake(), at: now)
    try peer.apply(media("firefox-listener"), at: now)
    #expect(said(&peer).isEmpty && peer.phase == .closed)
  }
}

@Suite struct DatagramKindTests {
  @Test(
    arguments: [
      (0, .stun), (3, .stun), (4, .unknown), (19, .unknown), (20, .dtls), (63, .dtls),
      (64, .unknown), (127, .unknown), (128, .srtp), (191, .srtp), (192, .unknown), (255, .unknown),
    ] as [(UInt8, DatagramKind)])
  func `the first byte of a datagram identifies the protocol`(byte: UInt8, kind: DatagramKind) {
    #expect(DatagramKind([byte, 0].span) == kind)
  }

  @Test func `an empty datagram belongs to no protocol`() {
    #expect(DatagramKind([UInt8]().span) == .unknown)
  }
}
