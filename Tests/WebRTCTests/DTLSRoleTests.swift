import Testing
import WebRTC

@Suite("DTLS roles")
struct DTLSRoleTests {
  @Test("the two ends of a connection have opposite DTLS roles")
  func areOpposite() {
    #expect(DTLSRole.client.opposite == .server && DTLSRole.server.opposite == .client)
  }
}
