import MeetingModel
import Testing

@testable import Gateway

@Suite struct RESTSettingsTests {
  @Test(arguments: [
    ("127.0.0.1", true), ("127.8.9.10", true), ("localhost", true), ("::1", true),
    ("0.0.0.0", false), ("::", false), ("", false), ("192.168.0.1", false), ("127.0.0", false),
    ("127.0.0.1.evil.example", false), ("127.0.0.256", false), ("127.0.0.+1", false),
    ("gateway", false), ("128.0.0.1", false),
  ])
  func `the service listens only on loopback by default`(
    host: String, isLoopback: Bool
  ) throws {
    #expect(RESTSettings.isLoopback(host) == isLoopback)
    #expect(((try? RESTSettings(host: host)) != nil) == isLoopback)
    let insecure = try RESTSettings(host: host, mayBePlain: true)
    #expect(insecure.isExposed == !isLoopback)
    let secure = try RESTSettings(host: host, isSecure: true)
    #expect(secure.isExposed == !isLoopback)
    let bare = try? RESTSettings(host: host, allowsUnsigned: true, isSecure: true)
    #expect((bare != nil) == isLoopback)
    let unsigned = try? RESTSettings(host: host, allowsUnsigned: true, mayBePlain: true)
    #expect((unsigned != nil) == isLoopback)
  }

  @Test func `the local URL uses https if TLS is configured`() throws {
    #expect(try RESTSettings(isSecure: true).localURL(port: 8080)?.text == "https://127.0.0.1:8080")
  }

  @Test func `an invalid port is refused`() {
    #expect(throws: Status.self) { try RESTSettings(port: 65_536) }
    #expect(throws: Status.self) { try RESTSettings(port: -1) }
  }

  @Test(arguments: [
    ("127.0.0.1", "http://127.0.0.1:8080"), ("0.0.0.0", "http://127.0.0.1:8080"),
    ("::", "http://127.0.0.1:8080"), ("::1", "http://[::1]:8080"),
    ("gateway", "http://gateway:8080"),
  ])
  func `the local URL reaches the service from the service's own host`(host: String, url: String)
    throws
  {
    #expect(try RESTSettings(host: host, mayBePlain: true).localURL(port: 8080)?.text == url)
  }
}
