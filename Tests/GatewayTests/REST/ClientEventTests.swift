import MeetingModel
import Storage
import Testing

@testable import Gateway

@Suite struct ClientEventTests {
  /// A meeting with one attendee, whose client sends events.
  private struct Sender {
    let fixture: ControlFixture
    let meeting: MeetingID
    let attendee: AttendeeID
    let token: String

    init(
      _ fixture: ControlFixture, as name: String = "ada", in meeting: MeetingID
    ) async throws {
      self.fixture = fixture
      self.meeting = meeting
      let request = AttendeeRequest(externalUserID: try ExternalUserID(name))
      let issued = try await fixture.control.createAttendee(request, in: meeting)
      attendee = issued.attendee.id
      token = issued.joinToken.text
    }

    var identity: String {
      #""meetingId":"\#(meeting.text)","attendeeId":"\#(attendee.text)""#
    }

    func body(_ payloads: String, metadata: String? = nil) -> String {
      """
      {"metadata":{"osName":"Linux"},"events":[{"type":"Meet","v":1,
      "metadata":{\(metadata ?? identity)},"payloads":[\(payloads)]}]}
      """
    }

    func send(_ body: String, bearing header: String? = nil) async -> Answer {
      await fixture.face.send(
        "POST", "/v1/client-events", body,
        headers: [.init(name: "Authorization", value: header ?? "Bearer \(token)")])
    }

    /// Returns a body in the format of the public SDK for browsers.
    func published(_ payloads: String, authorization: String? = nil) -> String {
      let member = authorization.map { #","authorization":"\#($0)""# } ?? ""
      return #"{"metadata":{"browserName":"chrome","browserVersion":"156.0.0.0","#
        + #""deviceName":"Unavailable","osName":"Linux","osVersion":"Unavailable","#
        + #""sdkVersion":"3.33.0","sdkName":"amazon-chime-sdk-js","engineName":"Blink","#
        + #""engineMajorVersion":156,\#(identity)},"#
        + #""events":[{"type":"Meet","v":1,"payloads":[\#(payloads)]}]\#(member)}"#
    }

    /// Sends a body as `text/plain`, the type with which a browser sends a text.
    func publish(_ body: String, to query: String = "", bearing header: String?) async -> Answer {
      let authorization = header.map { RESTRequest.Header(name: "Authorization", value: $0) }
      return await fixture.face.send(
        "POST", "/v1/client-events\(query)", body,
        headers: [.init(name: "Content-Type", value: "text/plain;charset=UTF-8")]
          + [authorization].compactMap { $0 })
    }
  }

  private func withSender(_ body: (Sender) async throws -> Void) async throws {
    try await withControl { fixture in
      try await body(try await Sender(fixture, in: try await fixture.makeMeeting()))
    }
  }

  private static func event(_ id: String) -> String {
    #"{"name":"meetingStartSucceeded","id":"\#(id)","ts":1}"#
  }

  @Test func `events are stored with their sender`() async throws {
    try await withSender { sender in
      let reply = await sender.send(
        sender.body("\(Self.event("one")),\(Self.event("two"))"))
      #expect(reply.status == 200)
      let kept = try await sender.fixture.events.events(limit: 10)
      #expect(kept.map(\.event.id) == ["one", "two"])
      let event = try #require(kept.first?.event)
      #expect(event.meeting == sender.meeting)
      #expect(event.attendee == sender.attendee)
      #expect(event.externalUserID?.text == "ada")
      #expect(event.name == "meetingStartSucceeded")
      #expect(event.receivedAtMs == sender.fixture.time.now)
      #expect(event.metadata == #"{"osName":"Linux"}"#)
      #expect(event.payload == #"{"id":"one","name":"meetingStartSucceeded","ts":1}"#)
    }
  }

  private static let start = #"{"name":"meetingStartRequested","ts":1795514218419}"#
  private static let success =
    #"{"name":"meetingStartSucceeded","ts":1795514219123,"signalingOpenDurationMs":41.5}"#

  @Test func `events of the public SDK are stored once although they have no ids`() async throws {
    try await withSender { sender in
      let body = sender.published("\(Self.start),\(Self.success)")
      // The client repeats a request whose answer it did not receive.
      for _ in 0..<2 {
        let reply = await sender.publish(body, bearing: "Bearer \(sender.token)")
        #expect(reply.status == 200)
      }
      let kept = try await sender.fixture.events.events(limit: 10)
      #expect(kept.map(\.event.name) == ["meetingStartRequested", "meetingStartSucceeded"])
      let ids = kept.map(\.event.id)
      #expect(Set(ids).count == 2 && ids.allSatisfy { $0.count == 32 })
      #expect(kept.last?.event.payload.contains("41.5") == true)
      // The same event from another attendee counts as a different event.
      let other = try await Sender(sender.fixture, as: "bea", in: sender.meeting)
      let theirs = other.published(Self.start)
      #expect(await other.publish(theirs, bearing: "Bearer \(other.token)").status == 200)
      #expect(try await sender.fixture.events.events(limit: 10).count == 3)
    }
  }

  @Test func `a beacon has its token in the body, and the token is not stored`() async throws {
    try await withSender { sender in
      for authorization in [sender.token, "Bearer \(sender.token)"] {
        let body = sender.published(Self.start, authorization: authorization)
        let reply = await sender.publish(body, to: "?beacon=1", bearing: nil)
        #expect(reply.status == 200)
      }
      let kept = try await sender.fixture.events.events(limit: 10)
      #expect(kept.count == 1)
      let event = try #require(kept.first?.event)
      #expect(!event.metadata.contains(sender.token) && !event.payload.contains(sender.token))
    }
  }

  @Test func `a token in the body is valid only in a beacon and only for its own attendee`()
    async throws
  {
    try await withSender { sender in
      let other = try await Sender(sender.fixture, as: "bea", in: sender.meeting)
      let attempts: [(query: String, authorization: String?, error: String)] = [
        ("", sender.token, "MissingAuthenticationTokenException"),
        ("?beacon=0", sender.token, "MissingAuthenticationTokenException"),
        ("?beacon=1", nil, "MissingAuthenticationTokenException"),
        ("?beacon=1", "", "MissingAuthenticationTokenException"),
        ("?beacon=1", "Bearer a b", "MissingAuthenticationTokenException"),
        ("?beacon=1", "Basic \(sender.token)", "MissingAuthenticationTokenException"),
        ("?beacon=1", other.token, "ForbiddenException"),
      ]
      for attempt in attempts {
        let body = sender.published(Self.start, authorization: attempt.authorization)
        let reply = await sender.publish(body, to: attempt.query, bearing: nil)
        #expect(reply.status == 403 && reply.error == attempt.error, "\(attempt)")
      }
      #expect(try await sender.fixture.events.lastNumber() == 0)
    }
  }

  @Test func `only the path for events accepts text in addition to JSON`() async throws {
    try await withSender { sender in
      let bearer = RESTRequest.Header(name: "Authorization", value: "Bearer \(sender.token)")
      for type in ["application/x-www-form-urlencoded", "text/html", "multipart/form-data"] {
        let reply = await sender.fixture.face.send(
          "POST", "/v1/client-events", sender.published(Self.start),
          headers: [bearer, .init(name: "Content-Type", value: type)])
        #expect(reply.status == 415)
      }
      let reply = await sender.fixture.face.send(
        "POST", "/meetings", "{}", headers: [.init(name: "Content-Type", value: "text/plain")])
      #expect(reply.status == 415)
    }
  }

  @Test func `a repeated event is stored once`() async throws {
    try await withSender { sender in
      for _ in 0..<3 {
        let reply = await sender.send(sender.body(Self.event("one")))
        #expect(reply.status == 200)
      }
      let kept = try await sender.fixture.events.events(limit: 10)
      #expect(kept.count == 1)
    }
  }

  @Test func `events from attendees of a replica belong to the replica and name the primary`()
    async throws
  {
    try await withControl { fixture in
      let stage = try await fixture.makeMeeting()
      let replica = try await fixture.makeMeeting("token-2", primary: stage)
      let sender = try await Sender(fixture, in: replica)
      #expect(await sender.send(sender.body(Self.event("one"))).status == 200)
      let event = try #require(try await fixture.events.events(of: stage, limit: 1).first?.event)
      #expect(event.meeting == replica)
      #expect(event.primary == stage)
    }
  }

  @Test func `events that arrive after the end of the meeting are stored`() async throws {
    try await withSender { sender in
      try await sender.fixture.control.endMeeting(sender.meeting, because: .deleted)
      #expect(await sender.send(sender.body(Self.event("one"))).status == 200)
      let event = try #require(try await sender.fixture.events.events(limit: 1).first?.event)
      #expect(event.externalUserID == nil)
    }
  }

  @Test func `a sender without the attendee's token is refused, and nothing is stored`()
    async throws
  {
    try await withSender { sender in
      let other = try await Sender(sender.fixture, as: "bea", in: sender.meeting)
      let body = sender.body(Self.event("one"))
      for header in ["", "Bearer", "Basic \(sender.token)", "Bearer a b"] {
        let reply = await sender.send(body, bearing: header)
        #expect(reply.status == 403)
        #expect(reply.error == "MissingAuthenticationTokenException")
      }
      for header in ["Bearer x", "Bearer \(other.token)"] {
        let reply = await sender.send(body, bearing: header)
        #expect(reply.status == 403)
        #expect(reply.error == "ForbiddenException")
      }
      let last = try await sender.fixture.events.lastNumber()
      #expect(last == 0)
    }
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"events":[]}"#, #"{"events":[{}]}"#,
    #"{"events":[{"metadata":{"meetingId":"x","attendeeId":"y"},"payloads":[{}]}]}"#,
  ])
  func `an invalid batch of events is refused`(body: String) async throws {
    try await withSender { sender in
      let reply = await sender.send(body)
      #expect(reply.status == 400)
      let last = try await sender.fixture.events.lastNumber()
      #expect(last == 0)
    }
  }

  @Test func `events without a name, too many events and events that are too large are refused`()
    async throws
  {
    try await withSender { sender in
      let long = String(repeating: "x", count: 9_000)
      let payloads = [
        #"{"id":"1"}"#, #"{"name":"","id":"1"}"#, #"{"name":"a","id":""}"#,
        #"{"name":"a","id":7}"#, #"{"name":"","ts":1}"#,
        #"{"name":"a","id":"1","more":"\#(long)"}"#,
        (0...200).map { Self.event("\($0)") }.joined(separator: ","),
      ]
      for payload in payloads {
        #expect(await sender.send(sender.body(payload)).status == 400)
      }
      let other = try await Sender(sender.fixture, as: "bea", in: sender.meeting)
      let mixed = """
        {"events":[{"metadata":{\(sender.identity)},"payloads":[\(Self.event("1"))]},
        {"metadata":{\(other.identity)},"payloads":[\(Self.event("2"))]}]}
        """
      #expect(await sender.send(mixed).status == 400)
      let huge = String(repeating: " ", count: ClientEventBatch.maxBody)
      #expect(await sender.send(sender.body(Self.event("1")) + huge).status == 413)
      let last = try await sender.fixture.events.lastNumber()
      #expect(last == 0)
    }
  }

  @Test func `the number of an attendee's requests in ten seconds is limited`() async throws {
    try await withSender { sender in
      let body = sender.body(Self.event("one"))
      for _ in 0..<ClientEventIntake.mostRequests {
        #expect(await sender.send(body).status == 200)
      }
      let reply = await sender.send(body)
      #expect(reply.status == 429)
      #expect(reply.error == "ThrottlingException")
      let other = try await Sender(sender.fixture, as: "bea", in: sender.meeting)
      #expect(await other.send(other.body(Self.event("two"))).status == 200)
      sender.fixture.time.advance(by: .seconds(10))
      #expect(await sender.send(body).status == 200)
    }
  }

  @Test func `events older than a day are deleted`() async throws {
    try await withSender { sender in
      #expect(await sender.send(sender.body(Self.event("old"))).status == 200)
      sender.fixture.time.advance(by: .seconds(86_401))
      #expect(await sender.send(sender.body(Self.event("new"))).status == 200)
      try await sender.fixture.intake.purge()
      let kept = try await sender.fixture.events.events(limit: 9)
      #expect(kept.map(\.event.id) == ["new"])
    }
  }
}
