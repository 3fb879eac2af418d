import Testing

@testable import WebRTC

@Suite("Certificate fingerprints")
struct DTLSFingerprintTests {
  private static let sha1 = "4A:AD:B9:B1:3F:82:18:3B:54:02:12:DF:3E:5D:49:6B:19:E5:7C:AB"

  @Test("the parser ignores the case of a fingerprint, and descriptions use upper case")
  func areRead() throws {
    // The fingerprint is the example of RFC 8122, §5.
    let fingerprint = try #require(DTLSFingerprint("SHA-1 \(Self.sha1.lowercased())"))
    #expect(fingerprint.hash == .sha1 && fingerprint.bytes.prefix(2) == [0x4a, 0xad])
    #expect(fingerprint.description == "sha-1 \(Self.sha1)")
  }

  @Test(
    "a malformed fingerprint or a forbidden hash is refused",
    arguments: [
      "", "sha-1", "sha-1 ", "md5 \(sha1)", "md2 \(sha1)", "sha-256 \(sha1)", "sha-1  \(sha1)",
      "sha-1 \(sha1):", "sha-1 \(sha1) ", "sha-1 +\(sha1.dropFirst())", "sha1 \(sha1)",
      "sha-1 \(sha1.replacing(":", with: "-"))", "sha-1 \(sha1.replacing("4A", with: "4G"))",
      "sha-1 \(sha1.replacing("4A", with: "４Ａ"))",
    ])
  func areRefused(text: String) {
    #expect(DTLSFingerprint(text) == nil)
  }

  @Test("the fingerprint with the strongest hash function is selected")
  func strongest() {
    let all = FingerprintHash.allCases.compactMap { hash in
      DTLSFingerprint(hash, [UInt8](repeating: 0, count: hash.length))
    }
    #expect(all.strongest.map(\.hash) == [.sha512])
    #expect([DTLSFingerprint]().strongest.isEmpty)
  }

  @Test("an identity has its certificate's fingerprint, and no two identities share a fingerprint")
  func ofIdentity() throws {
    let identity = HandshakePair.identities[0]
    #expect(identity.fingerprint == fingerprint(.sha256, of: identity))
    #expect(identity.fingerprint != HandshakePair.identities[1].fingerprint)
  }
}
