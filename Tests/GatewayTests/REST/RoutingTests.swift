import Testing

@testable import Gateway

@Suite struct RoutingTests {
  @Test(arguments: [
    ("POST", "/meetings", nil, RESTRoute.createMeeting),
    ("POST", "/meetings", "create-attendees", .createMeetingWithAttendees),
    ("GET", "/meetings/m", nil, .getMeeting("m")),
    ("GET", "/meetings/a%2Fb%20c%2B+", nil, .getMeeting("a/b c++")),
    ("DELETE", "/meetings/m", nil, .deleteMeeting("m")),
    ("POST", "/meetings/m/attendees", nil, .createAttendee(meeting: "m")),
    ("POST", "/meetings/m/attendees", "batch-create", .batchCreateAttendee(meeting: "m")),
    ("GET", "/meetings/m/attendees", nil, .listAttendees(meeting: "m")),
    ("GET", "/meetings/m/attendees/a", nil, .getAttendee("a", meeting: "m")),
    ("DELETE", "/meetings/m/attendees/a", nil, .deleteAttendee("a", meeting: "m")),
    (
      "PUT", "/meetings/m/attendees/a/capabilities", nil,
      .updateAttendeeCapabilities("a", meeting: "m")
    ),
    (
      "PUT", "/meetings/m/attendees/capabilities", "batch-update-except",
      .batchUpdateAttendeeCapabilitiesExcept(meeting: "m")
    ),
    ("POST", "/tags", "tag-resource", .tagResource),
    ("POST", "/tags", "untag-resource", .untagResource),
    ("GET", "/tags", nil, .listTagsForResource),
    ("GET", "/carillon/v1/endpoints", nil, .getEndpoints),
    ("GET", "/healthz", nil, .getHealth),
  ])
  func `an operation is known by method, path and operation`(
    method: String, path: String, operation: String?, route: RESTRoute
  ) {
    let operations = operation.map { [$0] } ?? []
    #expect(RESTRoute(method: method, path: path, operations: operations) == route)
  }

  @Test(arguments: [
    ("GET", "/meetings", []), ("PUT", "/meetings", []), ("HEAD", "/meetings/m", []),
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
    ("POST", "/healthz", []), ("GET", "/carillon/v2/endpoints", []),
    ("GET", "/etc/passwd", []), ("GET", "/..%2f..%2fetc%2fpasswd", []),
  ])
  func `nothing else is an operation`(method: String, path: String, operations: [String]) {
    #expect(RESTRoute(method: method, path: path, operations: operations) == nil)
  }

  @Test(arguments: [
    ("a", "a"), ("%41", "A"), ("%c3%A9", "é"), ("a+b", "a+b"), ("%20", " "), ("%", nil),
    ("%4", nil),
    ("%4g", nil), ("%c3", nil), ("%00", nil),
  ])
  func `percent-encoding is decoded once`(encoded: String, decoded: String?) {
    #expect(PercentEncoding.decode(encoded) == decoded)
    #expect(PercentEncoding.decode("%2541") == "%41")
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
