import Testing
import WebRTC

@Suite("DTLS roles")
struct DTLSRoleTests {
  @Test("the two ends have opposite roles")
  func areOpposite() {
    #expect(DTLSRole.client.opposite == .server && DTLSRole.server.opposite == .client)
  }
}
