import MeetingModel
import ServiceHost
import Storage
import Synchronization
import Testing
import Wire

@testable import Gateway

/// Tests of knocks through REST, from the waiting page to the attendee whom a host admits.
@Suite(.timeLimit(.minutes(5))) struct KnockOperationTests {
  private struct Nobody: RequestAuthenticator {
    func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
      throw RESTError(.missingAuthenticationToken, "Sign it.")
    }
  }

  private struct Scene {
    let fixture: ControlFixture
    let face: RESTHandler
    let meeting: MeetingID
    let token: String

    func act(
      _ method: String, _ path: String, _ body: String? = nil, as bearer: String? = nil
    ) async -> Answer {
      var headers = [RESTRequest.Header(name: "Host", value: "127.0.0.1:8080")]
      if let bearer { headers.append(.init(name: "Authorization", value: "Bearer \(bearer)")) }
      return await face.send(method, "/carillon/v1/\(path)", body, headers: headers)
    }

    var path: String { "host/meetings/\(meeting.text)/knocks" }

    func knock(as name: String = "Eve") async -> Answer {
      await act("POST", "web/knocks", #"{"Meeting":"\#(meeting.text)","Name":"\#(name)"}"#)
    }

    func follow(_ secret: String) async -> Answer {
      await act("POST", "web/knocks/state", #"{"Knock":"\#(secret)"}"#)
    }

    /// Lists the knocks as a host. The gateway then also regards the host as present.
    func list() async -> [JSONValue] {
      await act("GET", path, as: token).body["Knocks"].elements
    }

    func answer(_ knock: JSONValue, admit: Bool, as bearer: String? = nil) async -> Answer {
      let body = #"{"KnockId":"\#(knock["KnockId"].string)","Admit":\#(admit)}"#
      return await act("POST", path, body, as: bearer ?? token)
    }
  }

  /// Limits by which each meeting has at most one attendee.
  private static var oneSeat: InstallationLimits {
    var limits = InstallationLimits()
    limits.maxAttendees = 1
    return limits
  }

  /// Runs `body` with a locked meeting in an installation with an open lobby.
  private func withScene(
    limits: InstallationLimits = InstallationLimits(), _ body: (Scene) async throws -> Void
  ) async throws {
    try await withControl(limits: limits) { fixture in
      var face = fixture.face(LobbyAuthenticator(lobby: .open, operatorKey: nil, others: Nobody()))
      face.web = WebPageHandler(
        files: nil, lobby: .open, origins: OriginPolicy([]), desk: LobbyAdmission(),
        languages: { ["en-US"] })
      let meeting = try await fixture.makeMeeting()
      try await fixture.control.setLocked(true, meeting)
      let now = fixture.control.settings.now() / 1_000
      let token = fixture.store.tokens.hostTokens.issue(for: meeting, at: now).token.text
      try await body(Scene(fixture: fixture, face: face, meeting: meeting, token: token))
    }
  }

  @Test func `a host admits a person, who enters the locked meeting once`() async throws {
    try await withScene { scene in
      #expect(await scene.list().isEmpty)
      let knocked = await scene.knock()
      let secret = knocked.body["Knock"].string
      #expect((knocked.status, knocked.body["State"].string) == (200, "waiting"))
      #expect(await scene.follow(secret).body["State"].string == "waiting")
      let waiting = await scene.list()
      #expect(waiting.map { $0["DisplayName"].string } == ["Eve"])
      #expect(await scene.answer(waiting[0], admit: true).status == 204)
      #expect(await scene.list().isEmpty)
      let entered = await scene.follow(secret)
      #expect(entered.body["State"].string == "admitted")
      let eve = try AttendeeID(entered.body["Attendee", "AttendeeId"].string)
      #expect(entered.body["Meeting", "MeetingId"].string == scene.meeting.text)
      #expect(scene.fixture.effects.told.last == .barred(false, eve))
      #expect(await scene.follow(secret).status == 404)
      let stored = try await scene.fixture.store.meeting(scene.meeting)
      #expect(stored.isLocked)
    }
  }

  @Test func `a denied person gets the denial and no credentials of an attendee`() async throws {
    try await withScene { scene in
      _ = await scene.list()
      let secret = await scene.knock().body["Knock"].string
      let waiting = await scene.list()
      #expect(await scene.answer(waiting[0], admit: false).status == 204)
      let told = await scene.follow(secret)
      #expect((told.status, told.body["State"].string) == (200, "denied"))
      #expect(told.body["Attendee"] == .null)
    }
  }

  @Test func `a waiting person enters when the meeting is unlocked`() async throws {
    try await withScene { scene in
      _ = await scene.list()
      let secret = await scene.knock().body["Knock"].string
      try await scene.fixture.control.setLocked(false, scene.meeting)
      #expect(await scene.follow(secret).body["State"].string == "admitted")
      #expect(await scene.knock().status == 409)
    }
  }

  @Test func `a host learns that a meeting is full, and the person continues to wait`()
    async throws
  {
    try await withScene(limits: Self.oneSeat) { scene in
      let ada = try await scene.fixture.makeAttendee("ada", in: scene.meeting)
      _ = await scene.list()
      let secret = await scene.knock().body["Knock"].string
      let waiting = await scene.list()
      let refused = await scene.answer(waiting[0], admit: true)
      #expect((refused.status, refused.error) == (400, "LimitExceededException"))
      #expect(refused.body["Message"].string.contains("The meeting is full at 1 attendees"))
      #expect(await scene.follow(secret).body["State"].string == "waiting")
      #expect(await scene.list() == waiting)
      try await scene.fixture.control.deleteAttendee(ada, in: scene.meeting)
      #expect(await scene.answer(waiting[0], admit: true).status == 204)
      #expect(await scene.follow(secret).body["State"].string == "admitted")
    }
  }

  @Test func `an admitted person whose entry fails waits again, and hosts see the knock again`()
    async throws
  {
    try await withScene(limits: Self.oneSeat) { scene in
      _ = await scene.list()
      let secret = await scene.knock().body["Knock"].string
      let waiting = await scene.list()
      #expect(await scene.answer(waiting[0], admit: true).status == 204)
      // Somebody else takes the last place after the host's answer.
      let ada = try await scene.fixture.makeAttendee("ada", in: scene.meeting)
      let failed = await scene.follow(secret)
      #expect((failed.status, failed.body["State"].string) == (200, "waiting"))
      #expect(await scene.list() == waiting)
      try await scene.fixture.control.deleteAttendee(ada, in: scene.meeting)
      #expect(await scene.answer(waiting[0], admit: true).status == 204)
      #expect(await scene.follow(secret).body["State"].string == "admitted")
      #expect(await scene.follow(secret).status == 404)
    }
  }

  @Test func `a person whom presence does not let in leaves no attendee in the meeting`()
    async throws
  {
    try await withScene { scene in
      _ = await scene.list()
      let secret = await scene.knock().body["Knock"].string
      let waiting = await scene.list()
      #expect(await scene.answer(waiting[0], admit: true).status == 204)
      scene.fixture.effects.state.withLock { $0.letInFailure = Status(.unavailable, "No.") }
      #expect(await scene.follow(secret).body["State"].string == "waiting")
      let left = try await scene.fixture.store.listAttendees(in: scene.meeting, limit: 9).elements
      #expect(left.isEmpty)
      scene.fixture.effects.state.withLock { $0.letInFailure = nil }
      #expect(await scene.answer(waiting[0], admit: true).status == 204)
      #expect(await scene.follow(secret).body["State"].string == "admitted")
    }
  }

  @Test func `without a host, a knock is refused and counted`() async throws {
    try await withScene { scene in
      let alone = await scene.knock()
      #expect((alone.status, alone.error) == (422, "UnprocessableEntityException"))
      #expect(alone.body["Message"].string.contains("no host is present"))
      _ = await scene.list()
      let secret = await scene.knock().body["Knock"].string
      scene.fixture.effects.state.withLock { $0.hosted = [] }
      #expect(await scene.follow(secret).status == 422)
      let stored = try await scene.fixture.store.meeting(scene.meeting)
      #expect(stored.isLocked)
      #expect(scene.face.metrics.knocks[.noHost].value == 2)
    }
  }

  @Test func `each request of a waiting page sends presence the whole knock`() async throws {
    try await withScene { scene in
      _ = await scene.list()
      let secret = await scene.knock(as: "Eve \u{1F514}").body["Knock"].string
      scene.fixture.time.advance(by: .seconds(5))
      _ = await scene.follow(secret)
      let sent = scene.fixture.effects.state.withLock { $0.knocks }
      #expect(sent.map(\.ageMs) == [0, 5_000])
      #expect(sent.map(\.displayName) == ["Eve \u{1F514}", "Eve \u{1F514}"])
      #expect(Set(sent.map(\.knockID)).count == 1)
      #expect(sent.map(\.meetingID) == [scene.meeting.text, scene.meeting.text])
    }
  }

  // MARK: Attacks

  @Test
  func `unknown knocks, answers by other meetings' hosts and malformed requests are refused`()
    async throws
  {
    try await withScene { scene in
      _ = await scene.list()
      let secret = await scene.knock().body["Knock"].string
      let waiting = await scene.list()
      // Hosts see the id. This id is not valid as a ticket, and a ticket is not valid as an id.
      for ticket in [waiting[0]["KnockId"].string, "x", "y", GUID.random().text] {
        #expect(await scene.follow(ticket).status == 404)
      }
      let elsewhere = try await scene.fixture.makeMeeting("token-2")
      let now = scene.fixture.control.settings.now() / 1_000
      let tokens = scene.fixture.store.tokens.hostTokens
      let other = tokens.issue(for: elsewhere, at: now).token.text
      let old = tokens.issue(for: scene.meeting, at: now - HostTokenIssuer.lifetime).token.text
      #expect(await scene.answer(waiting[0], admit: true, as: other).status == 403)
      #expect(await scene.answer(waiting[0], admit: true, as: old).status == 401)
      #expect(await scene.answer(waiting[0], admit: true, as: "x").status == 401)
      #expect(await scene.answer(waiting[0], admit: true, as: secret).status == 401)
      #expect(await scene.act("GET", scene.path).status == 401)
      #expect(await scene.act("POST", scene.path, "{}", as: scene.token).status == 400)
      #expect(await scene.act("POST", "web/knocks", #"{"Name":"Eve"}"#).status == 400)
      #expect(await scene.act("POST", "web/knocks/state", "{}").status == 400)
      #expect(await scene.follow(secret).body["State"].string == "waiting")
      #expect(scene.face.metrics.knocks[.unknown].value == 4)
    }
  }

  @Test func `the errors of presence become errors for the page`() async throws {
    try await withScene { scene in
      _ = await scene.list()
      let secret = await scene.knock().body["Knock"].string
      for (code, status) in [
        (StatusCode.resourceExhausted, 429), (.notFound, 404), (.failedPrecondition, 422),
        (.unavailable, 503),
      ] {
        scene.fixture.effects.state.withLock { $0.failure = Status(code, "No.") }
        #expect(await scene.knock().status == status)
        #expect(await scene.follow(secret).status == status)
      }
      let counted = scene.face.metrics.knocks
      #expect(counted[.crowded].value == 2)
      #expect(counted[.unknown].value == 2)
      #expect(counted[.noHost].value == 2)
      #expect(await scene.act("GET", scene.path, as: scene.token).status == 503)
    }
  }
}
