import Foundation
import HeapSize
import RTP
import SRTP
import Testing
import WebRTC

@testable import Media

/// Each test runs in its own process, because other tests allocate memory at the same time.
@Suite struct PeerMemoryTests {
  @Test func `media needs at most 20 KiB of memory for an idle browser with a camera`() async {
    await #expect(processExitsWith: .success) {
      let offer = try String(contentsOf: Self.offer("chromium-camera"), encoding: .utf8)
      let identities = [try DTLSIdentity(at: 1_767_225_600), try DTLSIdentity(at: 1_767_225_600)]
      // The first peer allocates the memory that all peers share.
      var kept = [try IdlePeer(offer, identities)]
      let before = heap_size()
      for _ in 0..<100 { kept.append(try IdlePeer(offer, identities)) }
      let each = (heap_size() - before) / 100
      print("An idle browser takes \(each) bytes.")
      precondition(each <= 20 << 10, "An idle browser takes \(each) bytes.")
      withExtendedLifetime(kept) {}
    }
  }

  private static func offer(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appending(path: "SDPVectors/\(name).offer")
  }
}

/// Media's state for a browser that has completed its handshake and sends nothing.
private struct IdlePeer {
  private typealias Peer = WebRTCPeer<DTLSHandshake>

  private static let address = PeerAddress.udp(UDPAddress(host: [192, 0, 2, 7], port: 4_000))
  private var peer: Peer
  private var link: WebRTCLink?

  /// - Parameters:
  ///   - offer: The browser's offer.
  ///   - identities: The identities of the browser and of media.
  init(_ offer: String, _ identities: [DTLSIdentity]) throws {
    let media = try NegotiatedMedia(answering: SDPOffer(offer))
    peer = Peer(local: .random(), media: media)
    let browser = try DTLSHandshake(
      .client, identity: identities[0], expecting: [identities[1].fingerprint], at: .now)
    try check()
    peer.begin(
      try DTLSHandshake(
        .server, identity: identities[1], expecting: [identities[0].fingerprint], at: .now),
      at: .now)
    connect(browser.poll(at: .now).datagrams, with: browser)
    precondition(peer.phase == .open && link != nil, "The handshake is done.")
  }

  private mutating func check() throws {
    let fragment = peer.media.transport.credentials.fragment
    let username = STUNMessage.Value(
      type: STUNMessage.Attribute.username, bytes: Array("\(peer.local.fragment):\(fragment)".utf8))
    let nomination = STUNMessage.Value(type: STUNMessage.Attribute.useCandidate, bytes: [])
    let datagram = STUNMessage(
      .request, transaction: Array(1...12), attributes: [username, nomination]
    ).datagram(with: Array(peer.local.password.utf8))
    let arrival = peer.receive(datagram.span, from: Self.address, at: .now)
    precondition(arrival == .check, "The check is answered.")
    _ = peer.takeOutputs()
  }

  /// Exchanges datagrams until neither side has a datagram to send.
  private mutating func connect(_ flight: [[UInt8]], with browser: DTLSHandshake) {
    var flight = flight
    while !flight.isEmpty {
      for datagram in flight { _ = peer.receive(datagram.span, from: Self.address, at: .now) }
      flight = peer.takeOutputs().compactMap { output in
        if case .opened(let association) = output { open(association) }
        guard case .datagram(let datagram, _) = output else { return nil }
        return datagram
      }.flatMap { browser.receive($0, at: .now).datagrams }
    }
  }

  private mutating func open(_ association: DTLSAssociation) {
    link = WebRTCLink((association.sendKey, association.receiveKey), peer.media) { _ in }
  }
}
