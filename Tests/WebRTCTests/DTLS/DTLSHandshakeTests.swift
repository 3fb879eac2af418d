import SRTP
import Testing

@testable import WebRTC

@Suite("DTLS handshakes")
struct DTLSHandshakeTests {
  @Test("both ends agree on their first common profile and on keys")
  func agree() throws {
    var pair = try HandshakePair()
    pair.run()
    let (client, server) = try ends(of: pair.associations)
    #expect(client.profile == .aeadAES128GCM && server.profile == .aeadAES128GCM)
    #expect(client.cipher == "ECDHE-ECDSA-AES128-GCM-SHA256")
    #expect(client.role == .client && server.role == .server)
    #expect(client.keyingMaterial == server.keyingMaterial)
    #expect(client.keyingMaterial.count == 2 * (16 + 12))
    #expect(Set(client.keyingMaterial).count > 8)
  }

  @Test("both ends use the only profile that both allow", arguments: ProtectionProfile.allCases)
  func use(profile: ProtectionProfile) throws {
    for profiles in [
      [[profile], ProtectionProfile.allCases], [ProtectionProfile.allCases, [profile]],
    ] {
      var pair = try HandshakePair(profiles: profiles)
      pair.run()
      let (client, server) = try ends(of: pair.associations)
      #expect(client.profile == profile && server.profile == profile)
      #expect(client.keyingMaterial.count == 2 * (profile.keyLength + profile.saltLength))
      #expect(client.keyingMaterial == server.keyingMaterial)
    }
  }

  @Test("the server's order of profiles takes precedence")
  func preferServer() throws {
    let reversed = Array(ProtectionProfile.allCases.reversed())
    var pair = try HandshakePair(profiles: [ProtectionProfile.allCases, reversed])
    pair.run()
    #expect(pair.associations.map(\.profile) == [.aes128CMHMACSHA180, .aes128CMHMACSHA180])
  }

  @Test("a handshake without a common profile fails")
  func failWithoutProfile() throws {
    var pair = try HandshakePair(profiles: [[.aeadAES128GCM], [.aes128CMHMACSHA180]])
    pair.run()
    #expect(pair.outcomes == [.failed(.noProfile), .failed(.alert(40))])
  }

  @Test("the client fails when the server's certificate has another fingerprint")
  func failAtClient() throws {
    let own = HandshakePair.identities[HandshakePair.client].fingerprint
    var pair = try HandshakePair(expecting: [[own], [own]])
    pair.run()
    #expect(pair.outcomes == [.failed(.fingerprint), .failed(.alert(42))])
  }

  @Test("the server fails when the client's certificate has another fingerprint")
  func failAtServer() throws {
    let own = HandshakePair.identities[HandshakePair.server].fingerprint
    var pair = try HandshakePair(expecting: [[own], [own]])
    pair.run()
    #expect(pair.outcomes == [.failed(.alert(42)), .failed(.fingerprint)])
  }

  @Test("a handshake without any fingerprint fails")
  func failWithoutFingerprint() throws {
    let own = HandshakePair.identities[HandshakePair.server].fingerprint
    var pair = try HandshakePair(expecting: [[own], []])
    pair.run()
    #expect(pair.outcomes[HandshakePair.server] == .failed(.fingerprint))
  }

  @Test("each hash function works, and one matching fingerprint of several suffices")
  func takeEachHash() throws {
    for hash in FingerprintHash.allCases {
      let wrong = try #require(
        DTLSFingerprint(hash, [UInt8](repeating: 1, count: hash.length)))
      let expected = try HandshakePair.identities.reversed().map { identity in
        [wrong, try #require(fingerprint(hash, of: identity))]
      }
      var pair = try HandshakePair(expecting: Array(expected))
      pair.run()
      #expect(pair.associations.count == 2, "\(hash)")
    }
  }

  @Test("a handshake does not fall back to a weaker hash function")
  func doNotFallBack() throws {
    let client = HandshakePair.identities[HandshakePair.client]
    let weak = try #require(fingerprint(.sha1, of: client))
    let wrong = try #require(DTLSFingerprint(.sha256, [UInt8](repeating: 1, count: 32)))
    let server = HandshakePair.identities[HandshakePair.server].fingerprint
    var pair = try HandshakePair(expecting: [[server], [weak, wrong]])
    pair.run()
    #expect(pair.outcomes[HandshakePair.server] == .failed(.fingerprint))
  }

  @Test(
    "a handshake can start with a hello in three datagrams, in any order", arguments: permutations)
  func beginWithLargeHello(order: [Int]) throws {
    var pair = try HandshakePair()
    enlargeHello(of: pair.ends[HandshakePair.client])
    let hello = pair.ends[HandshakePair.client].poll(at: pair.clock.now)
    try #require(hello.datagrams.count == 3)
    pair.note(hello, of: HandshakePair.client)
    for index in order {
      let step = pair.ends[HandshakePair.server].receive(
        hello.datagrams[index], at: pair.clock.now)
      pair.take(step, of: HandshakePair.server)
    }
    #expect(pair.sent[HandshakePair.server] > 0)
    pair.run()
    #expect(pair.associations.count == 2)
  }

  static let permutations = [
    [0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0],
  ]

  private func ends(
    of associations: [DTLSAssociation]
  ) throws -> (client: DTLSAssociation, server: DTLSAssociation) {
    try #require(associations.count == 2)
    return (associations[0], associations[1])
  }
}
