import MeetingModel
import Storage
import Testing

@testable import Gateway

@Suite struct ClientEventTests {
  /// A meeting with somebody in it, and what that one sends.
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
  }

  private func withSender(_ body: (Sender) async throws -> Void) async throws {
    try await withControl { fixture in
      try await body(try await Sender(fixture, in: try await fixture.makeMeeting()))
    }
  }

  private static func event(_ id: String) -> String {
    #"{"name":"meetingStartSucceeded","id":"\#(id)","ts":1}"#
  }

  @Test func `events are kept with who sent them`() async throws {
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

  @Test func `what is sent again is kept once`() async throws {
    try await withSender { sender in
      for _ in 0..<3 {
        let reply = await sender.send(sender.body(Self.event("one")))
        #expect(reply.status == 200)
      }
      let kept = try await sender.fixture.events.events(limit: 10)
      #expect(kept.count == 1)
    }
  }

  @Test func `events of an audience are its own meeting's, and name the primary`() async throws {
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

  @Test func `the last events come when the meeting has ended`() async throws {
    try await withSender { sender in
      try await sender.fixture.control.endMeeting(sender.meeting, because: .deleted)
      #expect(await sender.send(sender.body(Self.event("one"))).status == 200)
      let event = try #require(try await sender.fixture.events.events(limit: 1).first?.event)
      #expect(event.externalUserID == nil)
    }
  }

  @Test func `who is not the attendee is refused, and nothing is kept`() async throws {
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
  func `what is no batch of events is refused`(body: String) async throws {
    try await withSender { sender in
      let reply = await sender.send(body)
      #expect(reply.status == 400)
      let last = try await sender.fixture.events.lastNumber()
      #expect(last == 0)
    }
  }

  @Test func `events need names and ids, and are not too many or too large`() async throws {
    try await withSender { sender in
      let long = String(repeating: "x", count: 9_000)
      let payloads = [
        #"{"id":"1"}"#, #"{"name":"a"}"#, #"{"name":"","id":"1"}"#, #"{"name":"a","id":7}"#,
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

  @Test func `an attendee has so many requests in ten seconds`() async throws {
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

  @Test func `old events are forgotten`() async throws {
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
