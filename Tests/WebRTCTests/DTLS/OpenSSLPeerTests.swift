import SRTP
import Testing

@testable import WebRTC

/// Tests with the program `openssl` at the other end of a socket. The program shares OpenSSL's code
/// with Carillon, but not Carillon's code for sockets, timers, certificates and keys.
@Suite("DTLS with the program openssl")
struct OpenSSLPeerTests {
  private let identity = HandshakePair.identities[0]

  @Test("openssl as the client derives the same keys", arguments: ProtectionProfile.allCases)
  func client(profile: ProtectionProfile) throws {
    let certificate = try OpenSSLCertificate()
    let socket = try LoopbackSocket()
    let handshake = try handshake(.server, with: certificate.fingerprint)
    let program = try OpenSSLProgram(
      ["s_client", "-connect", "127.0.0.1:\(socket.port)"] + options(profile, certificate))
    drive(handshake, over: socket) { $0 != .running }
    try expectSameKeys(handshake, program, profile)
    try program.closeInput()
    drive(handshake, over: socket) { $0 == .closed }
    #expect(handshake.outcome == .closed)
    #expect(try program.end() == 0, "\(program.text)")
  }

  @Test(
    "if openssl is the client and its hello has several datagrams, both ends derive the same keys")
  func clientWithLargeHello() throws {
    let certificate = try OpenSSLCertificate()
    let socket = try LoopbackSocket()
    let handshake = try handshake(.server, with: certificate.fingerprint)
    let names = (0..<10).map { "\($0)" + String(repeating: "p", count: 240) }
    let program = try OpenSSLProgram(
      ["s_client", "-connect", "127.0.0.1:\(socket.port)", "-alpn", names.joined(separator: ",")]
        + options(.aeadAES128GCM, certificate))
    let longest = drive(handshake, over: socket) { $0 != .running }
    #expect((1_000...1_200).contains(longest), "The hello came in pieces.")
    try expectSameKeys(handshake, program, .aeadAES128GCM)
    try program.closeInput()
    #expect(try program.end() == 0, "\(program.text)")
  }

  @Test("openssl as the server derives the same keys", arguments: ["ec", "rsa"])
  func server(kind: String) throws {
    let key = kind == "ec" ? ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"] : ["rsa:2048"]
    let certificate = try OpenSSLCertificate(key)
    let port = try LoopbackSocket().port
    let handshake = try handshake(.client, with: certificate.fingerprint)
    let program = try OpenSSLProgram(
      ["s_server", "-accept", "127.0.0.1:\(port)", "-naccept", "1", "-Verify", "1"]
        + options(.aeadAES256GCM, certificate))
    let socket = try LoopbackSocket(to: port)
    drive(handshake, over: socket) { $0 != .running }
    try expectSameKeys(handshake, program, .aeadAES256GCM)
    for datagram in handshake.close(at: .now).datagrams { socket.send(datagram) }
    #expect(try program.end() == 0, "\(program.text)")
  }

  @Test("openssl as the client is refused if its certificate has another fingerprint")
  func wrongClient() throws {
    let certificate = try OpenSSLCertificate()
    let socket = try LoopbackSocket()
    let handshake = try handshake(.server, with: identity.fingerprint)
    let program = try OpenSSLProgram(
      ["s_client", "-connect", "127.0.0.1:\(socket.port)"]
        + options(.aeadAES128GCM, certificate))
    drive(handshake, over: socket) { $0 != .running }
    #expect(handshake.outcome == .failed(.fingerprint))
    #expect(try program.end() != 0)
    #expect(program.text.contains("alert bad certificate"), "\(program.text)")
  }

  private func handshake(
    _ role: DTLSRole, with fingerprint: DTLSFingerprint
  ) throws -> DTLSHandshake {
    try DTLSHandshake(role, identity: identity, expecting: [fingerprint], at: .now)
  }

  private func options(
    _ profile: ProtectionProfile, _ certificate: OpenSSLCertificate
  ) -> [String] {
    let length = 2 * (profile.keyLength + profile.saltLength)
    return certificate.options + [
      "-dtls1_2", "-mtu", "1200", "-use_srtp", profile.name, "-keymatexport",
      "EXTRACTOR-dtls_srtp", "-keymatexportlen", "\(length)",
    ]
  }

  /// Exchanges datagrams between a handshake and a socket until the handshake has its outcome.
  ///
  /// - Returns: The length of the longest received datagram, in bytes.
  @discardableResult
  private func drive(
    _ handshake: DTLSHandshake, over socket: LoopbackSocket,
    until isReached: (DTLSOutcome) -> Bool
  ) -> Int {
    let end = ContinuousClock.now + .seconds(20)
    var (longest, step) = (0, handshake.poll(at: .now))
    while true {
      step.datagrams.forEach(socket.send)
      guard !isReached(step.outcome), .now < end else { return longest }
      let datagram = socket.receive(within: milliseconds(until: min(step.deadline ?? end, end)))
      longest = max(longest, datagram?.count ?? 0)
      step = datagram.map { handshake.receive($0, at: .now) } ?? handshake.poll(at: .now)
    }
  }

  private func milliseconds(until instant: ContinuousClock.Instant) -> Int32 {
    let left = ContinuousClock.now.duration(to: instant).components
    return Int32(max(0, left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1))
  }

  private func expectSameKeys(
    _ handshake: DTLSHandshake, _ program: OpenSSLProgram, _ profile: ProtectionProfile
  ) throws {
    guard case .done(let association) = handshake.outcome else {
      Issue.record("\(handshake.outcome)")
      return
    }
    let keys = try #require(program.line(after: "Keying material: "), "\(program.text)")
    #expect(association.profile == profile)
    #expect(hex(association.keyingMaterial) == keys)
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
  }
}
