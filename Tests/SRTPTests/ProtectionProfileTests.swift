import SRTP
import Testing

@Suite("Protection profiles")
struct ProtectionProfileTests {
  @Test("profiles have the key lengths of RFC 5764 and RFC 7714")
  func haveTheRFCsLengths() {
    #expect(ProtectionProfile.allCases.map(\.keyLength) == [16, 32, 16])
    #expect(ProtectionProfile.allCases.map(\.saltLength) == [12, 12, 14])
  }
}
