import MeetingModel
import Storage
import Testing

@testable import Gateway

@Suite struct WebSocketUpgradeRequestTests {
  private let meeting = MeetingID.random()
  private let origins = OriginPolicy(["https://app.example"])

  private func read(
    _ target: String? = nil, _ headers: [(String, String)]
  ) throws(WebSocketUpgradeRequest.Refusal) -> WebSocketUpgradeRequest {
    try WebSocketUpgradeRequest(
      target: target ?? "/control/\(meeting.text)?X=3",
      headers: [("Host", "here:8080")] + headers.map { (name: $0.0, value: $0.1) },
      origins: origins)
  }

  private let offered = ("Sec-WebSocket-Protocol", "_aws_wt_session, secret#content")

  @Test
  func `a browser sends the token as its second subprotocol, and the gateway selects the first`()
    throws
  {
    let handshake = try read([offered])
    #expect(handshake.meeting == meeting)
    #expect(handshake.token == JoinToken("secret#content"))
    #expect(handshake.chosenProtocol == "_aws_wt_session")
    let two = try read([
      ("sec-websocket-protocol", "_aws_wt_session"), ("Sec-WebSocket-Protocol", "t"),
    ])
    #expect(two.token == JoinToken("t"))
  }

  @Test func `a program that is no web page may send the token in a cookie`() throws {
    let cookie = ("Cookie", "a=b; _aws_wt_session=secret=")
    let handshake = try read([cookie, ("Sec-WebSocket-Protocol", "Signaling-SDK")])
    #expect(handshake.token == JoinToken("secret="))
    #expect(handshake.chosenProtocol == "Signaling-SDK")
    #expect(try read([cookie, ("Origin", "http://here")]).chosenProtocol == nil)
  }

  @Test func `an impossible meeting id is refused like an unknown meeting`() throws {
    #expect(try read("/control/nothing", [offered]).meeting == nil)
  }

  @Test(
    arguments: [
      ("/control", WebSocketUpgradeRequest.Refusal.noSuchPath), ("/control/a/b", .noSuchPath),
      ("/calls/a", .noSuchPath),
    ])
  func `a handshake on a path that is not the path of a meeting is refused`(
    target: String, refusal: WebSocketUpgradeRequest.Refusal
  ) {
    #expect(throws: refusal) { try read(target, [offered]) }
  }

  @Test(
    arguments: [
      [], [("Sec-WebSocket-Protocol", "_aws_wt_session")],
      [("Sec-WebSocket-Protocol", "other, secret")], [("Cookie", "session=1")],
    ] as [[(String, String)]])
  func `a handshake without a token is refused`(headers: [(String, String)]) {
    #expect(throws: WebSocketUpgradeRequest.Refusal.noToken) { try read(nil, headers) }
  }

  @Test func `only pages of the gateway and of listed origins may connect`() throws {
    for origin in ["http://here:8080", "https://here:8080", "HTTPS://APP.example"] {
      _ = try read([offered, ("Origin", origin)])
    }
    for origin in ["http://here", "https://evil.example", "null", "http://here:8080.evil"] {
      #expect(throws: WebSocketUpgradeRequest.Refusal.foreignOrigin) {
        try read(nil, [offered, ("Origin", origin)])
      }
    }
  }

  private func read(_ headers: [(String, String)]) throws -> WebSocketUpgradeRequest {
    try read(nil, headers)
  }
}
