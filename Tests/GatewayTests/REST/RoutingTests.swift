import MeetingModel
import Testing

@testable import Gateway

@Suite struct RoutingTests {
  @Test(arguments: [
    ("POST", "/meetings", nil, "CreateMeeting"),
    ("POST", "/meetings", "create-attendees", "CreateMeetingWithAttendees"),
    ("GET", "/meetings/m", nil, "GetMeeting"),
    ("GET", "/meetings/a%2Fb%20c%2B+", nil, "GetMeeting"),
    ("DELETE", "/meetings/m", nil, "DeleteMeeting"),
    ("POST", "/meetings/m/attendees", nil, "CreateAttendee"),
    ("POST", "/meetings/m/attendees", "batch-create", "BatchCreateAttendee"),
    ("GET", "/meetings/m/attendees", nil, "ListAttendees"),
    ("GET", "/meetings/m/attendees/a", nil, "GetAttendee"),
    ("DELETE", "/meetings/m/attendees/a", nil, "DeleteAttendee"),
    ("PUT", "/meetings/m/attendees/a/capabilities", nil, "UpdateAttendeeCapabilities"),
    ("PUT", "/meetings/m/attendees/capabilities/capabilities", nil, "UpdateAttendeeCapabilities"),
    (
      "PUT", "/meetings/m/attendees/capabilities", "batch-update-except",
      "BatchUpdateAttendeeCapabilitiesExcept"
    ),
    ("POST", "/meetings/m/transcription", "start", "StartMeetingTranscription"),
    ("POST", "/meetings/m/transcription", "stop", "StopMeetingTranscription"),
    ("POST", "/tags", "tag-resource", "TagResource"),
    ("POST", "/tags", "untag-resource", "UntagResource"),
    ("GET", "/tags", nil, "ListTagsForResource"),
    ("POST", "/v1/client-events", nil, "PutClientEvents"),
    ("POST", "/v1/client-events", "anything", "PutClientEvents"),
    ("GET", "/carillon/v1/endpoints", nil, "GetEndpoints"),
    ("GET", "/carillon/v1/endpoints", "anything", "GetEndpoints"),
    ("GET", "/healthz", nil, "GetHealth"),
    ("GET", "/healthz", "anything", "GetHealth"),
    ("HEAD", "/healthz", nil, "GetHealth"),
    ("GET", "/livez", nil, "GetLiveness"),
    ("HEAD", "/livez", nil, "GetLiveness"),
    ("GET", "/readyz", nil, "GetReadiness"),
    ("HEAD", "/readyz", nil, "GetReadiness"),
    ("HEAD", "/carillon/v1/endpoints", nil, "GetEndpoints"),
    ("HEAD", "/carillon/v1/openapi.json", nil, "GetOpenAPI"),
    ("HEAD", "/carillon/v1/web", nil, "DescribeWeb"),
    ("POST", "/carillon/v1/web/join", nil, "JoinFromWeb"),
    ("GET", "/carillon/v1/web/meetings/m/transcription", nil, "GetCaptionRightFromWeb"),
    ("PUT", "/carillon/v1/web/meetings/m/transcription", nil, "CaptionFromWeb"),
    ("DELETE", "/carillon/v1/web/meetings/m/transcription", nil, "CaptionFromWeb"),
    ("GET", "/carillon/v1/webhooks/w", nil, "GetWebhook"),
  ])
  func `method, path and operation parameter determine the operation`(
    method: String, path: String, operation: String?, name: String
  ) {
    let operations = operation.map { [$0] } ?? []
    let route = RESTRoute(method: method, path: path, operations: operations)
    #expect(route?.operation.name.labelValue == name)
  }

  @Test func `the parameters of a path are parsed and decoded once`() throws {
    let (meeting, attendee) = (MeetingID.random(), AttendeeID.random())
    let escaped = meeting.text.utf8.map { "%\(String($0, radix: 16))" }.joined()
    let path = try #require(
      RESTRoute(
        method: "GET", path: "/meetings/\(escaped)/attendees/\(attendee.text)", operations: [])
    ).path
    #expect(try path.meeting?.get() == meeting)
    #expect(try path.attendee?.get() == attendee)
    #expect(path.webhook == nil)
  }

  @Test func `reading an invalid parameter throws an error, and a webhook id may be any text`()
    throws
  {
    let wrong = try #require(
      RESTRoute(method: "DELETE", path: "/meetings/m/attendees/a", operations: [])
    ).path
    #expect(throws: RESTError.self) { try wrong.meeting?.get() }
    #expect {
      try wrong.attendee?.get()
    } throws: { ($0 as? RESTError)?.message.hasPrefix("AttendeeId: ") == true }
    let webhook = try #require(
      RESTRoute(method: "GET", path: "/carillon/v1/webhooks/a%2Fb", operations: [])
    ).path.webhook
    #expect(try webhook?.get() == "a/b")
  }

  @Test(arguments: [
    ("GET", "/meetings", []), ("PUT", "/meetings", []), ("HEAD", "/meetings/m", []),
    ("HEAD", "/tags", []), ("HEAD", "/v1/client-events", []), ("HEAD", "/carillon/v1/limits", []),
    ("post", "/meetings", []), ("POST", "/meetings", ["create"]), ("POST", "/meetings", [""]),
    ("POST", "/meetings", ["create-attendees", "create-attendees"]),
    ("POST", "/meetings/", []), ("POST", "//meetings", []), ("POST", "meetings", []),
    ("POST", "/Meetings", []), ("POST", "/x/../meetings", []), ("POST", "", []),
    ("OPTIONS", "*", []), ("GET", "/", []), ("GET", "/meetings/", []),
    ("GET", "/meetings/x/../m", []), ("GET", "/meetings/./m", []), ("GET", "/meetings//m", []),
    ("GET", "/meetings/%", []), ("GET", "/meetings/%zz", []), ("GET", "/meetings/%2", []),
    ("GET", "/meetings/%ff", []), ("GET", "/meetings/%00", []), ("GET", "/meetings/m", ["start"]),
    ("POST", "/meetings/m", []), ("POST", "/meetings/m/attendees", ["create-attendees"]),
    ("PUT", "/meetings/m/attendees", []), ("POST", "/meetings/m/attendees/a", []),
    ("GET", "/meetings/m/attendees/", []), ("GET", "/meetings/m/attendees/capabilities", []),
    ("DELETE", "/meetings/m/attendees/capabilities", []),
    ("PUT", "/meetings/m/attendees/capabilities", []),
    ("PUT", "/meetings/m/attendees/a/rights", []),
    ("GET", "/meetings/m/attendees/a/capabilities", []),
    ("GET", "/meetings/m/attendees/a/b/c", []), ("GET", "/meetings/m/others", []),
    ("POST", "/carillon/v1/web", []), ("GET", "/carillon/v1/web", ["x"]),
    ("POST", "/carillon/v1/web/meetings/m/transcription", []),
    ("GET", "/carillon/v1/limits", ["x"]), ("POST", "/carillon/v1/openapi.json", []),
    ("POST", "/healthz", []), ("POST", "/livez", []), ("GET", "/carillon/v2/endpoints", []),
    ("GET", "/etc/passwd", []), ("GET", "/..%2f..%2fetc%2fpasswd", []),
  ])
  func `unknown paths and methods match no operation`(
    method: String, path: String, operations: [String]
  ) {
    let route = RESTRoute(method: method, path: path, operations: operations)
    #expect(route?.operation.name == nil)
  }

  @Test(arguments: [
    ("a", "a"), ("%41", "A"), ("%c3%A9", "é"), ("a+b", "a+b"), ("%20", " "), ("%", nil),
    ("%4", nil),
    ("%4g", nil), ("%c3", nil), ("%00", nil),
  ])
  func `percent-encoding is decoded once`(encoded: String, decoded: String?) {
    #expect(PercentDecoding.decode(encoded) == decoded)
    #expect(PercentDecoding.decode("%2541") == "%41")
  }

  @Test func `query parameters are decoded and may repeat`() throws {
    let query = try QueryParameters("a=1&b=%26%3D+&a=2&c&=x&&d=e=f")
    #expect(query["a"] == ["1", "2"])
    #expect(query["b"] == ["&=+"])
    #expect(query["c"] == [""])
    #expect(query["d"] == ["e=f"])
    #expect(query["nothing"] == [])
    #expect(try query.single("c") == "")
    #expect(throws: RESTError.self) { try query.single("a") }
    #expect(throws: RESTError.self) { try QueryParameters("a=%g0") }
  }
}
