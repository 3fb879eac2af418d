import Testing

@testable import SRTP

@Suite("Exported DTLS keys")
struct SRTPKeysTests {
  private static let profiles = ProtectionProfile.allCases

  @Test(
    "the order of exported keys is client key, server key, client salt, server salt",
    arguments: profiles)
  func areInTheRFCsOrder(profile: ProtectionProfile) throws {
    let (key, salt) = (profile.keyLength, profile.saltLength)
    let parts = [(1, key), (2, key), (3, salt), (4, salt)].map { value, count in
      [UInt8](repeating: UInt8(value), count: count)
    }
    var material = parts.flatMap(\.self)
    let keys = try #require(SRTPKeys(profile: profile, wiping: &material))
    let found = [keys.client.key, keys.server.key, keys.client.salt, keys.server.salt]
    #expect(found.map(bytes) == parts)
    #expect(keys.profile == profile)
  }

  @Test("the keys wipe the buffer from which the exported bytes were copied", arguments: [0, 1])
  func areWiped(surplus: Int) {
    let profile = ProtectionProfile.aeadAES128GCM
    var material = [UInt8](repeating: 7, count: profile.exportedLength + surplus)
    #expect((SRTPKeys(profile: profile, wiping: &material) == nil) == (surplus != 0))
    #expect(material.isEmpty)
  }

  @Test("exported bytes of a wrong length are refused", arguments: profiles)
  func haveOneLength(profile: ProtectionProfile) {
    for count in [0, 1, profile.exportedLength - 1, profile.exportedLength + 1] {
      var material = [UInt8](repeating: 7, count: count)
      #expect(SRTPKeys(profile: profile, wiping: &material) == nil)
    }
  }

  @Test("the descriptions of keys do not contain the keys' bytes")
  func areNotShown() throws {
    var material = [UInt8](repeating: 0xab, count: ProtectionProfile.aeadAES128GCM.exportedLength)
    let keys = try #require(SRTPKeys(profile: .aeadAES128GCM, wiping: &material))
    #expect("\(keys.client)" == "a master key of SRTP_AEAD_AES_128_GCM")
    var dumped = ""
    dump(keys.client, to: &dumped)
    #expect(!dumped.contains("171") && !dumped.contains("bytes"))
  }

  private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withBytes { [UInt8]($0) } }
}
