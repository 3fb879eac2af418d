import MeetingModel
import Testing

@testable import Gateway

@Suite struct PublicURLTests {
  @Test(arguments: [
    ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
    ("https://meet.example.org/", "https://meet.example.org"),
    ("HTTPS://Meet.example.org:1", "https://Meet.example.org:1"),
    ("http://[::1]:8080", "http://[::1]:8080"),
    ("http://[fe80::1]", "http://[fe80::1]"),
    ("http://gateway_1", "http://gateway_1"),
    ("", nil), ("meet.example.org", nil), ("ftp://a", nil), ("http://", nil), ("http://a/b", nil),
    ("http://a?b", nil), ("http://u@a", nil), ("http://a:0", nil), ("http://a:65536", nil),
    ("http://a:", nil), ("http://a:+1", nil), ("http://a b", nil), ("http://[zz]", nil),
    ("http://a\"b", nil), ("http://é", nil),
  ])
  func `a public URL has a scheme, a host and an optional port`(text: String, normal: String?) {
    #expect(PublicURL(text)?.text == normal)
  }

  @Test func `a meeting's URLs use the base URL that was stored when the meeting was created`()
    async throws
  {
    try await withControl { fixture in
      let id = try await fixture.makeMeeting()
      var meeting = try await fixture.control.meeting(id)
      meeting.placementBase = "https://[::1]:443"
      let placement = MediaPlacement(of: meeting, fixture.control.settings)
      #expect(placement.signalingURL == "wss://[::1]:443/control/\(id.text)")
      #expect(placement.audioFallbackURL == "wss://[::1]:443/calls/\(id.text)")
      #expect(placement.turnControlURL == "https://[::1]:443/v2/turn_sessions")
      #expect(placement.eventIngestionURL == "https://[::1]:443/v1/client-events")
      #expect(placement.audioHostURL == "[::1]:7401")
      #expect(placement.gatewayURL == "ipc:///run/carillon/gateway-a.client.sock")
    }
  }

  @Test func `invalid control settings are refused`() throws {
    let local = try #require(PublicURL("http://127.0.0.1:8080"))
    func settings(
      region: String = "us-east-1", control: String = "us-east-1", account: String = "123456789012",
      port: Int = 7401
    ) throws(Status) -> ControlSettings {
      try ControlSettings(
        gatewayURL: "tcp://127.0.0.1:7400", localURL: local, defaultRegion: region,
        controlRegion: control, account: account, mediaPort: port, now: { 0 })
    }
    let meeting = try MeetingID("0d1e2f3a-0000-4000-8000-000000000001")
    #expect(
      try settings().arn(of: meeting)
        == "arn:aws:chime:us-east-1:123456789012:meeting/\(meeting.text)")
    #expect(throws: Status.self) { try settings(region: "attic") }
    #expect(throws: Status.self) { try settings(control: "us east") }
    #expect(throws: Status.self) { try settings(control: "") }
    #expect(throws: Status.self) { try settings(account: "1234") }
    #expect(throws: Status.self) { try settings(account: "12345678901x") }
    #expect(throws: Status.self) { try settings(port: 0) }
  }
}
