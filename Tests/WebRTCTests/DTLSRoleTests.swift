import Testing
import WebRTC

@Suite("DTLS roles")
struct DTLSRoleTests {
  @Test("are opposite at the two ends")
  func areOpposite() {
    #expect(DTLSRole.client.opposite == .server && DTLSRole.server.opposite == .client)
  }
}
