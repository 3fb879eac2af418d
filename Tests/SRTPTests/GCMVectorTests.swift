import Testing

@testable import SRTP

/// Tests of the packets in RFC 7714, sections 16 and 17. These sections specify session keys, not
/// master keys.
@Suite("Vectors of RFC 7714")
struct GCMVectorTests {
  struct Vector: Sendable {
    let profile: ProtectionProfile
    let digits: String
  }

  /// The packet with the payload "Gallia est omnis divisa in partes tres".
  private static let rtp = [UInt8](
    hex: """
      8040f17b 8041f8d3 5501a0b2 47616c6c 69612065 7374206f 6d6e6973 20646976 69736120 696e2070
      61727465 73207472 6573
      """)

  private static let rtcp = [UInt8](
    hex: """
      81c8000d 4d617273 4e545031 4e545032 52545020 0000042a 0000e930 4c756e61 deadbeef deadbeef
      deadbeef deadbeef deadbeef
      """)

  private func keys(_ profile: ProtectionProfile) -> SessionKeys {
    let key = (0..<UInt8(profile.keyLength)).map(\.self)
    let salt = Array("Quid pro quo".utf8)
    return SessionKeys(
      profile: profile, cipher: SecretBytes(key.span.bytes), salt: SecretBytes(salt.span.bytes),
      authentication: nil)
  }

  private func sender(_ profile: ProtectionProfile) -> SRTPSender {
    SRTPSender(rtp: keys(profile), rtcp: keys(profile))
  }

  private func receiver(_ profile: ProtectionProfile) -> SRTPReceiver {
    SRTPReceiver(rtp: keys(profile), rtcp: keys(profile))
  }

  @Test("the initial vector of RFC 7714 combines salt, SSRC and index")
  func vector() {
    let salt = InitialVector(salt: SecretBytes(Array("Quid pro quo".utf8).span.bytes))
    let bytes = salt.gcm(ssrc: 0x5501_a0b2, index: 0xf17b).withBytes { start in
      Array(UnsafeBufferPointer(start: start, count: 12))
    }
    #expect(bytes == [UInt8](hex: "51753c65 80c2726f 20718414"))
  }

  @Test(
    "RTP packets match the vectors of sections 16.1 and 16.2",
    arguments: [
      Vector(
        profile: .aeadAES128GCM,
        digits: """
          8040f17b 8041f8d3 5501a0b2 f24de3a3 fb34de6c acba861c 9d7e4bca be633bd5 0d294e6f 42a5f47a
          51c7d19b 36de3adf 8833899d 7f27beb1 6a9152cf 765ee439 0cce
          """),
      Vector(
        profile: .aeadAES256GCM,
        digits: """
          8040f17b 8041f8d3 5501a0b2 32b1de78 a822fe12 ef9f78fa 332e33aa b1801238 9a58e2f3 b50b2a02
          76ffae0f 1ba63799 b87b7aa3 db36dfff d6b0f9bb 7878d7a7 6c13
          """),
    ])
  func rtp(vector: Vector) throws {
    let protected = [UInt8](hex: vector.digits)
    var sender = sender(vector.profile)
    var receiver = receiver(vector.profile)
    #expect(try sender.protect(Self.rtp).get() == protected)
    #expect(try receiver.open(protected).get() == Self.rtp)
  }

  @Test(
    "RTCP packets match the vectors of sections 17.1 and 17.2",
    arguments: [
      Vector(
        profile: .aeadAES128GCM,
        digits: """
          81c8000d 4d617273 63e94885 dcdab67c a727d766 2f6b7e99 7ff5c0f7 6c06f32d c676a5f1 730d6fda
          4ce09b46 86303ded 0bb9275b c84aa458 96cf4d2f c5abf872 45d9eade 800005d4
          """),
      Vector(
        profile: .aeadAES256GCM,
        digits: """
          81c8000d 4d617273 d50ae4d1 f5ce5d30 4ba297e4 7d470c28 2c3ece5d bffe0a50 a2eaa5c1 110555be
          8415f658 c61de047 6f1b6fad 1d1eb30c 4446839f 57ff6f6c b26ac3be 800005d4
          """),
    ])
  func rtcp(vector: Vector) throws {
    let protected = [UInt8](hex: vector.digits)
    var sender = sender(vector.profile)
    var receiver = receiver(vector.profile)
    sender.nextRTCPIndex = 0x5d4
    #expect(try sender.protect(Self.rtcp, .rtcp).get() == protected)
    #expect(try receiver.open(protected, .rtcp).get() == Self.rtcp)
  }

  @Test("the RTCP packet of RFC 7714, section 17.3, is authenticated but not encrypted")
  func clearRTCP() throws {
    let trailer = [UInt8](hex: "841dd968 3dd78ec9 2ae58790 125f62b3 000005d4")
    var receiver = receiver(.aeadAES128GCM)
    #expect(try receiver.open(Self.rtcp + trailer, .rtcp).get() == Self.rtcp)
  }
}
