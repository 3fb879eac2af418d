import SRTP
import TestSupport
import Testing

@testable import WebRTC

/// The two ends of a connection, on a virtual network and a virtual clock: `media`, with a
/// ``WebRTCPeer``, and a browser.
///
/// The browser has two addresses. The browser sends checks from its first address until `media`
/// answers, and then performs the DTLS handshake. When both ends have their keys, both ends send
/// packets. After half of the packets, the browser may move to its second address.
final class PeerPair {
  /// The conditions of a run.
  struct Conditions {
    let link: VirtualNetwork.Link

    /// The value of `a=setup` in the browser's offer.
    let setup: String
    let profile: ProtectionProfile

    /// Whether the browser moves to its second address.
    let moves: Bool

    static func random(using random: inout SeededGenerator) -> Conditions {
      Conditions(
        link: .random(using: &random),
        setup: ["actpass", "active", "passive"].randomElement(using: &random) ?? "actpass",
        profile: ProtectionProfile.allCases.randomElement(using: &random) ?? .aeadAES128GCM,
        moves: .random(using: &random))
    }
  }

  /// The browser's side of ICE.
  private struct Checks {
    /// The browser sends checks from the address with the index `wanted`, and everything else from
    /// the address with the index `used`. Before the first answer to a check, `used` is `nil`.
    var wanted = 0
    var used: Int?
    var next: ContinuousClock.Instant

    /// The index of the address from which the browser sent each check, by transaction.
    var addresses: [[UInt8]: Int] = [:]
  }

  /// The number of packets that each end sends.
  static let packets = 20
  private static let interval = Duration.milliseconds(60)

  private let conditions: Conditions
  private let clock = VirtualClock()
  private var network: VirtualNetwork
  private var random: SeededGenerator

  private var peer: WebRTCPeer<DTLSHandshake>
  private let browser: DTLSHandshake
  private var browserDeadline: ContinuousClock.Instant?
  private var checks: Checks

  /// The SRTP of each end after the handshake, `media` first.
  private(set) var ends: [SecuredEnd?] = [nil, nil]
  private var nextPacket: ContinuousClock.Instant?
  private var packetsLeft = packets

  /// Whether the browser has sent packets from its second address.
  private(set) var hasMoved = false

  private static let addresses = [
    PeerAddress.udp(UDPAddress(host: [192, 0, 2, 7], port: 4_000)),
    PeerAddress.udp(UDPAddress(host: [198, 51, 100, 4], port: 9)),
  ]
  private static let local = ICECredentials(fragment: "here", password: "a password of 22 bytes")
  private static let (media, other) = (0, 1)

  /// The first end of the virtual network that belongs to the browser. Datagrams to the ends 2 and
  /// 3 arrive at the browser's first and second address. Datagrams to the ends 0 and 1 arrive at
  /// `media`, from the browser's first and second address.
  private static let browserEnds = 2

  /// The longest time of a run: 30 s for ICE, 30 s for the handshake, and the time of the packets.
  private static let limit = Duration.seconds(75)

  init(_ conditions: Conditions, seed: UInt64) throws {
    self.conditions = conditions
    random = SeededGenerator(seed: ~seed)
    network = VirtualNetwork(conditions.link, seed: seed)
    let offer = try AnswerVectors.text("chromium-camera.offer")
      .replacing("setup:actpass", with: "setup:\(conditions.setup)")
    peer = WebRTCPeer(
      local: Self.local, media: try AnswerVectors.answer.negotiate(SDPOffer(offer)))
    let role = peer.media.transport.localRole
    browser = try DTLSHandshake(
      role == .client ? .server : .client, identity: HandshakePair.identities[Self.other],
      expecting: [HandshakePair.identities[Self.media].fingerprint],
      profiles: [conditions.profile], at: clock.now)
    checks = Checks(next: clock.now)
  }

  /// Runs until both ends have sent their packets, and no datagram is in transit.
  func run() throws {
    while !isFinished {
      guard clock.elapsed < Self.limit else {
        Issue.record("The connection hangs: \(peer.phase), \(browser.outcome)")
        return
      }
      let times = [
        peer.deadline, browserDeadline, checks.next, network.nextArrival, nextPacket,
      ]
      clock.advance(to: max(times.compactMap(\.self).min() ?? clock.now, clock.now))
      for arrival in network.arrivals(at: clock.now) {
        if arrival.end < Self.browserEnds {
          try receiveAtMedia(arrival.datagram, from: arrival.end)
        } else {
          receiveAtBrowser(arrival.datagram)
        }
      }
      if let due = browserDeadline, due <= clock.now { take(browser.poll(at: clock.now)) }
      peer.advance(to: clock.now)
      try carryOut()
      if checks.next <= clock.now { check() }
      if let due = nextPacket, due <= clock.now { sendPackets() }
    }
  }

  private var isFinished: Bool { packetsLeft == 0 && network.nextArrival == nil }

  // MARK: Media

  private func receiveAtMedia(_ datagram: [UInt8], from address: Int) throws {
    let isPacket = DatagramKind(datagram.span) == .srtp
    if isPacket { ends[Self.media]?.note(datagram) }
    let arrival = peer.receive(datagram.span, from: Self.addresses[address], at: clock.now)
    if arrival == .media, ends[Self.media]?.open(datagram) == true {
      peer.noteMedia(from: Self.addresses[address])
    }
    try carryOut()
  }

  /// Carries out the outputs of the peer, as the owner of a peer does.
  private func carryOut() throws {
    while case let outputs = peer.takeOutputs(), !outputs.isEmpty {
      for output in outputs {
        switch output {
        case .datagram(let datagram, let address): send(datagram, to: address)
        case .needsHandshake(let role):
          let handshake = try DTLSHandshake(
            role, identity: HandshakePair.identities[Self.media],
            expecting: [HandshakePair.identities[Self.other].fingerprint], at: clock.now)
          peer.begin(handshake, at: clock.now)
        case .opened(let association):
          #expect(association.profile == conditions.profile)
          open(Self.media, association)
        case .closed(let ending): Issue.record("The connection ended: \(ending)")
        case .proven, .forgotten, .consentLost, .consentRestored: break
        }
      }
    }
  }

  private func send(_ datagram: [UInt8], to address: PeerAddress) {
    guard let index = Self.addresses.firstIndex(of: address) else { return }
    network.send([datagram], to: Self.browserEnds + index, at: clock.now)
  }

  // MARK: The browser

  private func check() {
    let transaction = (0..<12).map { _ in UInt8.random(in: 0...255, using: &random) }
    checks.addresses[transaction] = checks.wanted
    let check = STUNMessage(
      .request, transaction: transaction,
      attributes: [
        STUNMessage.Value(
          type: STUNMessage.Attribute.username,
          bytes: Array("here:\(peer.media.transport.credentials.fragment)".utf8)),
        STUNMessage.Value(type: STUNMessage.Attribute.useCandidate, bytes: []),
      ]
    ).datagram(with: Array(Self.local.password.utf8))
    network.send([check], to: checks.wanted, at: clock.now)
    checks.next = clock.now + .milliseconds(checks.used == checks.wanted ? 2_500 : 100)
  }

  private func receiveAtBrowser(_ datagram: [UInt8]) {
    switch DatagramKind(datagram.span) {
    case .stun: noteAnswer(datagram)
    case .dtls: take(browser.receive(datagram, at: clock.now))
    case .srtp:
      ends[Self.other]?.note(datagram)
      _ = ends[Self.other]?.open(datagram)
    case .unknown: Issue.record("media sent a datagram of no protocol.")
    }
  }

  private func noteAnswer(_ datagram: [UInt8]) {
    guard let answer = STUNMessage(datagram.span) else {
      Issue.record("media sent a malformed answer.")
      return
    }
    #expect(answer.kind == .success && answer.isAuthentic(with: Array(Self.local.password.utf8)))
    guard checks.addresses[answer.transaction] == checks.wanted else { return }
    let isFirst = checks.used == nil
    checks.used = checks.wanted
    if isFirst { take(browser.poll(at: clock.now)) }
  }

  private func take(_ step: DTLSStep) {
    browserDeadline = step.deadline
    network.send(step.datagrams, to: checks.used ?? checks.wanted, at: clock.now)
    switch step.outcome {
    case .done(let association): open(Self.other, association)
    case .running: break
    case .failed, .closed: Issue.record("The browser's handshake ended: \(step.outcome)")
    }
  }

  // MARK: Packets

  /// Opens an end, unless the end is open. A completed handshake reports the same outcome again in
  /// each later step.
  private func open(_ end: Int, _ association: DTLSAssociation) {
    guard ends[end] == nil else { return }
    ends[end] = SecuredEnd(association, using: &random)
    if ends.allSatisfy({ $0 != nil }) { nextPacket = clock.now }
  }

  /// Sends one packet from each end.
  private func sendPackets() {
    guard let media = ends[Self.media], let other = ends[Self.other] else { return }
    network.send([other.next(using: &random)], to: checks.used ?? checks.wanted, at: clock.now)
    hasMoved = hasMoved || checks.used == 1
    let datagram = media.next(using: &random)
    if let destination = peer.destination(at: clock.now) { send(datagram, to: destination) }
    packetsLeft -= 1
    nextPacket = packetsLeft > 0 ? clock.now + Self.interval : nil
    guard conditions.moves, packetsLeft == Self.packets / 2 else { return }
    (checks.wanted, checks.next) = (1, clock.now)
  }
}
