import MeetingModel
import Testing

@testable import Gateway

@Suite struct AttendeeOperationTests {
  private static let everything = JSONValue.object([
    "Audio": .string("SendReceive"), "Video": .string("SendReceive"),
    "Content": .string("SendReceive"),
  ])

  @Test func `an attendee has the same JSON members in every answer`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting()
      let created = try await face.makeAttendee("ada", in: meeting)
      #expect(created.status == 200)
      let attendee = created.body["Attendee"]
      let id = attendee["AttendeeId"].string
      #expect(GUID(id)?.text == id)
      #expect(attendee["ExternalUserId"].string == "ada")
      #expect(attendee["Capabilities"] == Self.everything)
      #expect((2...2048).contains(attendee["JoinToken"].string.utf8.count))
      #expect(
        await face.send("GET", "/meetings/\(meeting)/attendees/\(id)").body == created.body)
      let list = await face.send("GET", "/meetings/\(meeting)/attendees")
      #expect(list.body == .object(["Attendees": .array([attendee])]))
      #expect(try await face.makeAttendee("ada", in: meeting).body == created.body)
    }
  }

  @Test func `an attendee of another meeting is not found`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting()
      let other = try await face.makeMeeting("token-2")
      let id = try await face.makeAttendee("ada", in: meeting).body["Attendee", "AttendeeId"].string
      for method in ["GET", "DELETE"] {
        let answer = await face.send(method, "/meetings/\(other)/attendees/\(id)")
        #expect(answer.error == "NotFoundException")
      }
      #expect(
        await face.send("GET", "/meetings/\(meeting)/attendees/ada").error
          == "BadRequestException")
      #expect(await face.send("DELETE", "/meetings/\(meeting)/attendees/\(id)").status == 204)
      #expect(
        await face.send("DELETE", "/meetings/\(meeting)/attendees/\(id)").error
          == "NotFoundException")
      let again = try await face.makeAttendee("ada", in: meeting)
      #expect(again.body["Attendee", "AttendeeId"].string != id)
    }
  }

  @Test(arguments: [
    "{}", #"{"ExternalUserId":null}"#, #"{"ExternalUserId":"a"}"#, #"{"ExternalUserId":7}"#,
    #"{"ExternalUserId":"aws:ada"}"#, #"{"externalUserId":"ada"}"#,
    #"{"ExternalUserId":"ada","Capabilities":{}}"#,
    #"{"ExternalUserId":"ada","Capabilities":"all"}"#,
    #"{"ExternalUserId":"ada","Capabilities":{"Audio":"Send","Video":"Send"}}"#,
    #"{"ExternalUserId":"ada","Capabilities":{"Audio":"send","Video":"Send","Content":"Send"}}"#,
    #"{"ExternalUserId":"ada","Capabilities":{"Audio":null,"Video":"Send","Content":"Send"}}"#,
    #"{"ExternalUserId":"ada","Capabilities":{"Audio":1,"Video":"Send","Content":"Send"}}"#,
  ])
  func `an invalid attendee is refused`(body: String) async throws {
    try await withControl { fixture in
      let meeting = try await fixture.face.makeMeeting()
      let answer = await fixture.face.send("POST", "/meetings/\(meeting)/attendees", body)
      #expect(answer.status == 400)
      #expect(answer.error == "BadRequestException")
    }
  }

  @Test(
    arguments: MediaDirection.allCases, MediaDirection.allCases)
  func `only an attendee who may receive video may receive content`(
    content: MediaDirection, video: MediaDirection
  ) async throws {
    try await withControl { fixture in
      let meeting = try await fixture.face.makeMeeting()
      let answer = await fixture.face.send(
        "POST", "/meetings/\(meeting)/attendees",
        #"{"ExternalUserId":"ada","Capabilities":{"Audio":"None","Video":"\#(video.rawValue)","#
          + #""Content":"\#(content.rawValue)"}}"#)
      let isAllowed = !content.canReceive || video.canReceive
      #expect(answer.status == (isAllowed ? 200 : 400))
    }
  }

  @Test func `a request for the default capabilities of a meeting without video is refused`()
    async throws
  {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting(
        with: #""MeetingFeatures":{"Video":{"MaxResolution":"None"}}"#)
      let ada = try await face.makeAttendee("ada", in: meeting)
      #expect(ada.body["Attendee", "Capabilities", "Video"].string == "Receive")
      let id = ada.body["Attendee", "AttendeeId"].string
      let asked = await face.send(
        "PUT", "/meetings/\(meeting)/attendees/\(id)/capabilities",
        #"{"Capabilities":{"Audio":"SendReceive","Video":"Receive","Content":"SendReceive"}}"#)
      #expect(asked.error == "BadRequestException")
    }
  }

  @Test func `a full meeting returns an existing attendee and refuses a new attendee`() async throws
  {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting(
        with: #""MeetingFeatures":{"Attendee":{"MaxCount":1}}"#)
      let ada = try await face.makeAttendee("ada", in: meeting)
      let grace = try await face.makeAttendee("grace", in: meeting)
      #expect(grace.status == 400)
      #expect(grace.error == "LimitExceededException")
      #expect(try await face.makeAttendee("ada", in: meeting).body == ada.body)
    }
  }

  // MARK: Batches

  @Test func `a batch creates the attendees that fit and lists the other attendees as errors`()
    async throws
  {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting(
        with: #""MeetingFeatures":{"Attendee":{"MaxCount":2}}"#)
      let answer = await face.send(
        "POST", "/meetings/\(meeting)/attendees?operation=batch-create",
        #"{"Attendees":[{"ExternalUserId":"ada"},{"ExternalUserId":"ada"},"#
          + #"{"ExternalUserId":"grace"},{"ExternalUserId":"edsger"}]}"#)
      #expect(answer.status == 200)
      #expect(
        answer.body["Attendees"].elements.map { $0["ExternalUserId"].string } == ["ada", "grace"])
      let errors = answer.body["Errors"].elements
      #expect(errors.map { $0["ExternalUserId"].string } == ["edsger"])
      #expect(errors.map { $0["ErrorCode"].string } == ["LimitExceeded"])
    }
  }

  @Test(arguments: [
    ("/attendees?operation=batch-create", 0, false), ("/attendees?operation=batch-create", 1, true),
    ("/attendees?operation=batch-create", 100, true),
    ("/attendees?operation=batch-create", 101, false),
    ("?operation=create-attendees", 0, false), ("?operation=create-attendees", 20, true),
    ("?operation=create-attendees", 21, false),
  ])
  func `the size of a batch is limited`(target: String, count: Int, isTaken: Bool) async throws {
    try await withControl { fixture in
      let face = fixture.face
      let items = (0..<count).map { #"{"ExternalUserId":"user-\#($0)"}"# }.joined(separator: ",")
      let path: String
      let body: String
      if target.hasPrefix("?") {
        path = "/meetings"
        body = Bodies.meeting(with: #""Attendees":[\#(items)]"#)
      } else {
        path = "/meetings/\(try await face.makeMeeting("other"))"
        body = #"{"Attendees":[\#(items)]}"#
      }
      let answer = await face.send("POST", path + target, body)
      #expect(answer.status == (isTaken ? 200 : 400))
      if isTaken { #expect(answer.body["Attendees"].elements.count == count) }
    }
  }

  @Test(arguments: [
    #"[{"ExternalUserId":"ada"},{"ExternalUserId":"aws:x"}]"#, #"[{"ExternalUserId":"ada"},null]"#,
    #"[{"ExternalUserId":"ada"},"grace"]"#, #""ada""#, "null", "{}",
    #"[{"ExternalUserId":"ada"},{"ExternalUserId":"bo","Capabilities":{"Audio":"None","#
      + #""Video":"None","Content":"Receive"}}]"#,
  ])
  func `a batch with one invalid item creates nothing`(list: String) async throws {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting()
      let answer = await face.send(
        "POST", "/meetings/\(meeting)/attendees?operation=batch-create",
        #"{"Attendees":\#(list)}"#)
      #expect(answer.error == "BadRequestException")
      let page = await face.send("GET", "/meetings/\(meeting)/attendees")
      #expect(page.body == .object(["Attendees": .array([])]))
      let whole = await face.send(
        "POST", "/meetings?operation=create-attendees",
        Bodies.meeting("token-2", with: #""Attendees":\#(list)"#))
      #expect(whole.error == "BadRequestException")
      let meetings = try await fixture.meetings()
      #expect(meetings.count == 1)
    }
  }

  // MARK: Pages

  @Test
  func `each page starts at the position in the request's token, and the last page has no token`()
    async throws
  {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting()
      var ids: [String] = []
      for number in 0..<6 {
        let made = try await face.makeAttendee("user-\(number)", in: meeting)
        ids.append(made.body["Attendee", "AttendeeId"].string)
      }
      let path = "/meetings/\(meeting)/attendees"
      func names(_ answer: Answer) -> [String] {
        answer.body["Attendees"].elements.map { $0["ExternalUserId"].string }
      }
      let first = await face.send("GET", "\(path)?max-results=2")
      #expect(names(first) == ["user-0", "user-1"])
      // A deletion between two pages neither hides nor repeats other attendees.
      _ = await face.send("DELETE", "\(path)/\(ids[0])")
      _ = await face.send("DELETE", "\(path)/\(ids[1])")
      _ = await face.send("DELETE", "\(path)/\(ids[3])")
      let token = first.body["NextToken"].string
      let second = await face.send("GET", "\(path)?next-token=\(token)&max-results=2")
      #expect(names(second) == ["user-2", "user-4"])
      let last = await face.send(
        "GET", "\(path)?max-results=1&next-token=\(second.body["NextToken"].string)")
      #expect(names(last) == ["user-5"])
      #expect(last.body["NextToken"] == .null)
    }
  }

  @Test func `a page token is valid only for the meeting that it was issued for`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting()
      let other = try await face.makeMeeting("token-2")
      for name in ["ada", "grace"] { _ = try await face.makeAttendee(name, in: meeting) }
      let page = await face.send("GET", "/meetings/\(meeting)/attendees?max-results=1")
      let token = page.body["NextToken"].string
      #expect(token.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "=") })
      let elsewhere = await face.send("GET", "/meetings/\(other)/attendees?next-token=\(token)")
      #expect(elsewhere.error == "BadRequestException")
      let flipped = token.hasPrefix("1") ? "2\(token.dropFirst())" : "1\(token.dropFirst())"
      for made in ["", "x", "1", ".", flipped, token + "A", String(token.dropLast())] {
        let answer = await face.send("GET", "/meetings/\(meeting)/attendees?next-token=\(made)")
        #expect(answer.error == "BadRequestException")
      }
    }
  }

  @Test(arguments: [
    ("1", 200), ("100", 200), ("0", 400), ("101", 400), ("-1", 400), ("", 400), ("ten", 400),
    ("1.0", 400), ("%2B1", 400), ("+1", 400), ("0x1", 400), ("99999999999999999999", 400),
    ("1&max-results=2", 400),
  ])
  func `a page has 1-100 attendees`(value: String, status: Int) async throws {
    try await withControl { fixture in
      let meeting = try await fixture.face.makeMeeting()
      let answer = await fixture.face.send(
        "GET", "/meetings/\(meeting)/attendees?max-results=\(value)")
      #expect(answer.status == status)
    }
  }

  // MARK: Capabilities

  @Test func `a change of capabilities keeps the attendee's identity and token`() async throws {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting()
      let ada = try await face.makeAttendee("ada", in: meeting).body["Attendee"]
      let id = ada["AttendeeId"].string
      let path = "/meetings/\(meeting)/attendees"
      let body = #"{"Capabilities":{"Audio":"Receive","Video":"None","Content":"None"}}"#
      let changed = await face.send("PUT", "\(path)/\(id)/capabilities", body)
      #expect(changed.status == 200)
      #expect(changed.body["Attendee", "Capabilities", "Audio"].string == "Receive")
      #expect(changed.body["Attendee", "JoinToken"] == ada["JoinToken"])
      #expect(await face.send("GET", "\(path)/\(id)").body == changed.body)
      #expect(fixture.effects.told.count == 1)
      #expect(await face.send("PUT", "\(path)/\(id)/capabilities", "{}").status == 400)
      let stranger = AttendeeID.random().text
      #expect(await face.send("PUT", "\(path)/\(stranger)/capabilities", body).status == 404)
    }
  }

  @Test func `a change of capabilities with a list of exceptions has an empty answer`()
    async throws
  {
    try await withControl { fixture in
      let face = fixture.face
      let meeting = try await face.makeMeeting()
      let ada = try await face.makeAttendee("ada", in: meeting).body["Attendee", "AttendeeId"]
        .string
      _ = try await face.makeAttendee("grace", in: meeting)
      let target = "/meetings/\(meeting)/attendees/capabilities?operation=batch-update-except"
      let capabilities = #""Capabilities":{"Audio":"None","Video":"None","Content":"None"}"#
      let answer = await face.send(
        "PUT", target,
        #"{"ExcludedAttendeeIds":[{"AttendeeId":"\#(ada)"},"#
          + #"{"AttendeeId":"\#(AttendeeID.random().text)"}],\#(capabilities)}"#)
      #expect(answer.status == 200)
      #expect(answer.response.body.isEmpty)
      let page = await face.send("GET", "/meetings/\(meeting)/attendees")
      #expect(
        page.body["Attendees"].elements.map { $0["Capabilities", "Audio"].string }
          == ["SendReceive", "None"])
      for list in ["[]", #"["\#(ada)"]"#, #"[{"AttendeeId":"x"}]"#, "null", #"[{}]"#] {
        let bad = await face.send(
          "PUT", target, #"{"ExcludedAttendeeIds":\#(list),\#(capabilities)}"#)
        #expect(bad.error == "BadRequestException")
      }
    }
  }
}
