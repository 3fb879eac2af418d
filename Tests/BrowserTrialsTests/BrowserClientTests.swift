import LocalInstallation
import Testing

@testable import BrowserTrials

@Test(arguments: [
  ("ws://127.0.0.1:8080/control/m-1", "127.0.0.1:8080", "/control/m-1"),
  ("ws://[::1]:9/control/m?x=1", "[::1]:9", "/control/m?x=1"),
])
func `a signaling URL gives the address and the path to connect to`(
  url: String, host: String, path: String
) throws {
  let place = try #require(BrowserClient.place(url))
  #expect(place.0.host == host)
  #expect(place.path == path)
}

@Test(arguments: ["wss://h/control/m", "ws://h", "ws://h:0/control/m", "http://h/control/m", ""])
func `an invalid or encrypted signaling URL gives no address`(url: String) {
  #expect(BrowserClient.place(url) == nil)
}
