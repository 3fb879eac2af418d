import MeetingModel
import ServiceHost
import ZeroMQ

/// Where browsers come to media: one port for all of them, and what was agreed with each.
///
/// It answers their checks of connectivity. Lives on media's socket thread.
final class WebRTCDoor {
  private struct Peer {
    var agent: ICEAgent

    /// Answers that it was given.
    var version: UInt64 = 0
    let origin: UInt64
  }

  private let certificate: SelfSignedCertificate
  private let addresses: [UDPAddress]
  private let socket: UDPSocket
  private let thread: SocketThread
  private let counters: WebRTCCounters
  private var watch: WatchID?
  private var peers: [SessionID: Peer] = [:]
  private var byFragment: [String: SessionID] = [:]
  private var room = [UInt8](repeating: 0, count: 2_048)

  /// Datagrams of one turn of the loop.
  private static let mostOfTurn = 256

  /// - Parameter hosts: Which addresses browsers are told, four or sixteen bytes each.
  /// - Throws: What the port cannot be had for, or the certificate not be made.
  init(
    _ configuration: WebRTCConfiguration, on thread: SocketThread, counting counters: WebRTCCounters
  ) throws {
    certificate = try SelfSignedCertificate(at: Int64(WallClock.nowMs / 1_000))
    let socket = try UDPSocket(at: configuration.listen, port: configuration.port)
    let port = socket.port
    addresses = configuration.hosts.map { UDPAddress(host: $0, port: port) }
    self.socket = socket
    (self.thread, self.counters) = (thread, counters)
    watch = thread.watch(fileDescriptor: self.socket.descriptor) { [unowned self] in
      receiveAll()
    }
  }

  /// Where browsers are told to come.
  var endpoints: String { addresses.map { "\($0.text):\($0.port)" }.joined(separator: " ") }

  /// Answers a session's offer; another one of the same session goes on with what was agreed.
  ///
  /// - Throws: `invalidArgument` for what is no offer, or none that can be answered.
  func answer(_ offer: String, of session: SessionID) throws(Status) -> String {
    do throws(SDPOffer.Problem) {
      let offer = try SDPOffer(offer)
      let former = peers[session]
      let credentials = former?.agent.local ?? ICECredentials.random()
      let origin = former?.origin ?? UInt64.random(in: 1...(1 << 62))
      let version = (former?.version ?? 0) + 1
      let (answer, fragment) = try SDPAnswer(
        addresses: addresses, credentials: credentials,
        fingerprint: "sha-256 \(certificate.fingerprint)", origin: (origin, version)
      ).text(for: offer)
      var peer =
        former
        ?? Peer(
          agent: ICEAgent(local: credentials, remoteFragment: fragment), origin: origin)
      if peer.agent.remoteFragment != fragment {
        // The client came back: it begins anew, by a connection of its own.
        peer.agent = ICEAgent(local: credentials, remoteFragment: fragment)
      }
      peer.version = version
      peers[session] = peer
      byFragment[credentials.fragment] = session
      counters.peers.set(peers.count)
      return answer
    } catch {
      throw Status(.invalidArgument, error.text, reason: .malformed)
    }
  }

  /// The session is over: its checks are not answered any more.
  func remove(_ session: SessionID) {
    guard let peer = peers.removeValue(forKey: session) else { return }
    byFragment[peer.agent.local.fragment] = nil
    counters.peers.set(peers.count)
  }

  func close() {
    if let watch { thread.unwatch(watch) }
    watch = nil
    (peers, byFragment) = ([:], [:])
  }

  // MARK: Datagrams

  private func receiveAll() {
    for _ in 0..<Self.mostOfTurn {
      guard let (count, address) = socket.receive(into: &room) else { return }
      receive(room.span.extracting(..<count), from: address)
    }
  }

  private func receive(_ datagram: Span<UInt8>, from address: UDPAddress) {
    guard let check = STUNMessage(datagram) else { return counters.passedOver.increment() }
    guard let fragment = ICEAgent.fragment(of: check), let session = byFragment[fragment],
      var peer = peers[session]
    else {
      // An answer to whoever is unknown would serve those who forge addresses.
      return counters.refusedChecks.increment()
    }
    let answer = peer.agent.answer(check, from: address, at: thread.now)
    peers[session] = peer
    guard let answer else { return counters.refusedChecks.increment() }
    counters.checks.increment()
    _ = socket.send(answer, to: address)
  }
}
