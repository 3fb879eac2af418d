import Testing

@testable import SRTP

@Suite("Key derivation")
struct KeyDerivationTests {
  private static let authentication = """
    CEBE321F6FF7716B6FD4AB49AF256A15 6D38BAA48F0A0ACF3C34E2359E6CDBCE
    E049646C43D9327AD175578EF7227098 6371C10C9A369AC2F94A8C5FBCDDDC25
    6D6E919A48B610EF17C2041E47403576 6B68642C59BBFC2F34DB60DBDFB2
    """

  @Test(
    "the derived keys match appendix B.3 of RFC 3711",
    arguments: [
      (SRTPKeyLabel.rtpCipher, "C61E7A93744F39EE10734AFE3FF7A087"),
      (.rtpSalt, "30CBBC08863D8C85D49DB34A9AE1"),
      (.rtpAuthentication, authentication),
    ])
  func givesTheRFCsKeys(label: SRTPKeyLabel, digits: String) throws {
    let key = [UInt8](hex: "E1F97A0D3E018BE0D64FA32C06DE4139")
    let salt = [UInt8](hex: "0EC675AD498AFEEBB6960B3AABE6")
    let found = MasterKey(
      profile: .aes128CMHMACSHA180, key: key.span.bytes, salt: salt.span.bytes)
    let master = try #require(found)
    let expected = [UInt8](hex: digits)
    #expect(master.derive(label, count: expected.count).withBytes { Array($0) } == expected)
  }

  @Test("RTCP keys differ from RTP keys", arguments: ProtectionProfile.allCases)
  func givesRTCPItsOwn(profile: ProtectionProfile) throws {
    let master = try #require(MasterKey.counting(profile))
    let all = [SRTPKeyLabel.rtpCipher, .rtpAuthentication, .rtpSalt, .rtcpCipher, .rtcpSalt]
      .map { master.derive($0, count: 12).withBytes { Array($0) } }
    #expect(Set(all).count == all.count)
  }
}

@Suite("The key stream")
struct KeyStreamTests {
  @Test(
    "the key stream matches appendix B.2 of RFC 3711",
    arguments: [
      (0, "E03EAD0935C95E80E166B16DD92B4EB4 D23513162B02D0F72A43A2FE4A5F97AB"),
      (2, "41E95B3BB0A2E8DD477901E4FCA894C0"),
      (0xfeff, "EC8CDF7398607CB0F2D21675EA9EA1E4 362B7C3C6773516318A077D7FC5073AE"),
      (0xff01, "6A2CC3787889374FBEB4C81B17BA6C44"),
    ])
  func isTheRFCs(block: Int, digits: String) {
    let cipher = CipherContext(
      .counterMode, .encrypt,
      key: SecretBytes([UInt8](hex: "2B7E151628AED2A6ABF7158809CF4F3C").span.bytes))
    let salt = SecretBytes([UInt8](hex: "F0F1F2F3F4F5F6F7F8F9FAFBFCFD").span.bytes)
    cipher.begin(InitialVector(salt: salt).counterMode(ssrc: 0, index: 0))
    var stream = [UInt8](repeating: 0, count: 16 * 0xff02)
    stream.withUnsafeMutableBytes { cipher.apply(to: $0) }
    let expected = [UInt8](hex: digits)
    #expect(Array(stream[(16 * block)...].prefix(expected.count)) == expected)
  }
}
