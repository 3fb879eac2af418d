import MeetingModel
import Signing
import Storage
import Testing

@testable import Gateway

@Suite struct SignedRequestTests {
  @Test func `signed requests are executed`() async throws {
    try await withControl { fixture in
      let app = try fixture.makeKey()
      let created = await app.send("POST", "/meetings", Bodies.meeting())
      #expect(created.status == 200)
      let id = created.body["Meeting", "MeetingId"].string
      #expect(await app.send("GET", "/meetings/\(id)").status == 200)
      #expect(await app.send("GET", "/meetings/\(id)/attendees?max-results=5").status == 200)
      #expect(await app.send("DELETE", "/meetings/\(id)").status == 204)
    }
  }

  @Test func `unsigned requests are refused before their path is read`()
    async throws
  {
    try await withControl { fixture in
      let face = fixture.signedHandler
      for target in ["/meetings", "/meetings?operation=nonsense", "/nowhere", "/meetings?a=%zz"] {
        let unsigned = await face.send("POST", target, Bodies.meeting())
        #expect(unsigned.status == 403)
        #expect(unsigned.error == "MissingAuthenticationTokenException")
        #expect(unsigned.body["Code"].string == "MissingAuthenticationToken")
        let garbled = await face.send(
          "POST", target, Bodies.meeting(),
          headers: [.init(name: "authorization", value: "AWS4-HMAC-SHA256 Credential=x")])
        #expect(garbled.error == "IncompleteSignatureException")
        let stranger = fixture.signer("NOBODY", SigningSecret("x"))
        #expect(
          await stranger.send("POST", target, Bodies.meeting()).error
            == "UnrecognizedClientException")
      }
      let meetings = try await fixture.meetings()
      #expect(meetings.isEmpty)
    }
  }

  @Test func `a request with a wrong secret or an old signature changes nothing`() async throws {
    try await withControl { fixture in
      let app = try fixture.makeKey()
      let forger = fixture.signer(app.keyID, SigningSecret("guess"))
      let forged = await forger.send("POST", "/meetings", Bodies.meeting())
      #expect(forged.error == "InvalidSignatureException")
      #expect(forged.status == 403)
      #expect(forged.body["RequestId"].string == forged.response.header("x-amzn-RequestId"))
      let request = app.signed("POST", "/meetings", Bodies.meeting())
      fixture.time.advance(by: .seconds(301))
      #expect(Answer(await app.face.respond(to: request)).error == "InvalidSignatureException")
      let meetings = try await fixture.meetings()
      #expect(meetings.isEmpty)
    }
  }

  @Test func `a disabled key is refused from the next request on`() async throws {
    try await withControl { fixture in
      let app = try fixture.makeKey()
      #expect(await app.send("POST", "/meetings", Bodies.meeting()).status == 200)
      _ = try fixture.keys.disable(app.keyID)
      let refused = await app.send("POST", "/meetings", Bodies.meeting("token-2"))
      #expect(refused.error == "UnrecognizedClientException")
      let meetings = try await fixture.meetings()
      #expect(meetings.count == 1)
    }
  }

  @Test func `if the key file is unreadable, requests fail with a status that permits a retry`()
    async throws
  {
    try await withControl { fixture in
      let app = try fixture.makeKey()
      try fixture.spoilKeys()
      let answer = await app.send("POST", "/meetings", Bodies.meeting())
      #expect(answer.status == 503)
      #expect(answer.response.header("Retry-After") == "1")
      #expect(!answer.body["Message"].string.contains("/"))
      let meetings = try await fixture.meetings()
      #expect(meetings.isEmpty)
    }
  }

  // MARK: Roles

  @Test(arguments: AccessRole.allCases)
  func `a role allows exactly its operations`(role: AccessRole) async throws {
    try await withControl { fixture in
      let full = try fixture.makeKey()
      let meeting = try await full.makeMeeting()
      let limited = try fixture.makeKey(role)
      let arn = "arn:aws:chime:us-east-1:000000000000:meeting/\(meeting)"
      let attendee = AttendeeID.random().text
      let base = "/meetings/\(meeting)"
      let calls: [(String, String, String?, String)] = [
        ("POST", "/meetings", Bodies.meeting("t-2"), "CreateMeeting"),
        ("POST", "/meetings?operation=create-attendees", "{}", "CreateMeetingWithAttendees"),
        ("GET", base, nil, "GetMeeting"),
        ("POST", "\(base)/attendees", #"{"ExternalUserId":"ada"}"#, "CreateAttendee"),
        ("POST", "\(base)/attendees?operation=batch-create", "{}", "BatchCreateAttendee"),
        ("GET", "\(base)/attendees/\(attendee)", nil, "GetAttendee"),
        ("GET", "\(base)/attendees", nil, "ListAttendees"),
        ("DELETE", "\(base)/attendees/\(attendee)", nil, "DeleteAttendee"),
        ("PUT", "\(base)/attendees/\(attendee)/capabilities", "{}", "UpdateAttendeeCapabilities"),
        (
          "PUT", "\(base)/attendees/capabilities?operation=batch-update-except", "{}",
          "BatchUpdateAttendeeCapabilitiesExcept"
        ),
        ("POST", "\(base)/transcription?operation=start", "{}", "StartMeetingTranscription"),
        ("POST", "\(base)/transcription?operation=stop", nil, "StopMeetingTranscription"),
        ("POST", "/tags?operation=tag-resource", "{}", "TagResource"),
        ("POST", "/tags?operation=untag-resource", "{}", "UntagResource"),
        ("GET", "/tags?arn=\(arn.replacing(":", with: "%3A"))", nil, "ListTagsForResource"),
        ("DELETE", base, nil, "DeleteMeeting"),
      ]
      #expect(calls.count == 16)
      for (method, target, body, operation) in calls {
        let answer = await limited.send(method, target, body)
        let isAllowed =
          switch role {
          case .all: true
          case .createOnly: operation.contains("Create")
          case .readOnly:
            operation.hasPrefix("Get") || operation.hasPrefix("List")
          }
        #expect((answer.error != "ForbiddenException") == isAllowed, "\(operation)")
        if !isAllowed { #expect(answer.status == 403) }
      }
      #expect(await limited.send("POST", "/nowhere").error == "UnknownOperationException")
    }
  }

  // MARK: Tenants

  @Test func `meetings that a tenant's key creates belong to the tenant`() async throws {
    try await withControl { fixture in
      let acme = try fixture.makeKey(tenant: "acme")
      let silent = await acme.send("POST", "/meetings", Bodies.meeting())
      #expect(silent.body["Meeting", "TenantIds"] == .array([.string("acme")]))
      let named = await acme.send(
        "POST", "/meetings", Bodies.meeting(with: #""TenantIds":["acme"]"#))
      #expect(named.body == silent.body)
      for tenants in [#"["other"]"#, #"["acme","other"]"#, #"["ACME"]"#] {
        let answer = await acme.send(
          "POST", "/meetings", Bodies.meeting("t-2", with: "\"TenantIds\":\(tenants)"))
        #expect(answer.error == "ForbiddenException")
      }
      let meetings = try await fixture.meetings()
      #expect(meetings.count == 1)
    }
  }

  @Test func `a tenant does not learn of request tokens of other tenants`() async throws {
    try await withControl { fixture in
      let callers = [
        try fixture.makeKey(), try fixture.makeKey(tenant: "acme"),
        try fixture.makeKey(tenant: "other"),
      ]
      for caller in callers {
        let host = #""MeetingHostId":"\#(caller.keyID.prefix(8))""#
        let first = await caller.send("POST", "/meetings", Bodies.meeting(with: host))
        #expect(first.status == 200)
        let again = await caller.send("POST", "/meetings", Bodies.meeting(with: host))
        #expect(again.body == first.body)
        let changed = await caller.send("POST", "/meetings", Bodies.meeting())
        #expect(changed.error == "ConflictException")
      }
      #expect(try await fixture.meetings().count == callers.count)
    }
  }

  @Test func `a tenant's key cannot reach the meetings of other tenants`() async throws {
    try await withControl { fixture in
      let acme = try fixture.makeKey(tenant: "acme")
      let (full, other) = (try fixture.makeKey(), try fixture.makeKey(tenant: "other"))
      for owner in [full, other] {
        let meeting = try await owner.makeMeeting("token-\(owner.keyID)")
        let base = "/meetings/\(meeting)"
        let arn = "arn:aws:chime:us-east-1:000000000000:meeting/\(meeting)"
        for (method, target, body) in [
          ("GET", base, nil), ("DELETE", base, nil),
          ("POST", "\(base)/attendees", #"{"ExternalUserId":"eve"}"#),
          ("GET", "\(base)/attendees", nil),
          ("POST", "\(base)/transcription?operation=stop", nil),
          ("POST", "/tags?operation=tag-resource", #"{"ResourceARN":"\#(arn)","Tags":[]}"#),
          ("POST", "/tags?operation=untag-resource", #"{"ResourceARN":"\#(arn)","TagKeys":[]}"#),
          ("GET", "/tags?arn=\(arn)", nil),
          // The attendees of a replica receive all events and all media of the primary.
          ("POST", "/meetings", Bodies.meeting("r-1", with: #""PrimaryMeetingId":"\#(meeting)""#)),
        ] as [(String, String, String?)] {
          let answer = await acme.send(method, target, body)
          #expect(answer.error == "ForbiddenException", "\(method) \(target)")
        }
        #expect(await full.send("GET", "\(base)/attendees").body["Attendees"].elements.isEmpty)
      }
      let meetings = try await fixture.meetings()
      #expect(meetings.count == 2)
    }
  }

  @Test func `a tenant's key reaches the tenant's replica, and unknown meetings are not found`()
    async throws
  {
    try await withControl { fixture in
      let acme = try fixture.makeKey(tenant: "acme")
      let primary = try await acme.makeMeeting()
      let replica = await acme.send(
        "POST", "/meetings", Bodies.meeting("r-1", with: #""PrimaryMeetingId":"\#(primary)""#))
      #expect(replica.status == 200)
      let unknown = MeetingID.random().text
      #expect(await acme.send("GET", "/meetings/\(unknown)").error == "NotFoundException")
      #expect(await acme.send("GET", "/meetings/x").error == "BadRequestException")
    }
  }
}
