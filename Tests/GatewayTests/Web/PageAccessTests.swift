import MeetingModel
import Storage
import Testing

@testable import Gateway

/// Tests of the table in SECURITY.md that lists what each caller may do through the page.
@Suite(.timeLimit(.minutes(5))) struct PageAccessTests {
  private static let lobbyKey = "the key of the lobby"
  private static let operatorKey = "the key of the operator"

  private struct Nobody: RequestAuthenticator {
    func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
      throw RESTError(.missingAuthenticationToken, "Sign it.")
    }
  }

  /// The callers that use the page, by their credentials.
  private enum Who: CaseIterable {
    case nobody, attendee, other, lobby, operators
  }

  /// A meeting, the token of an attendee of this meeting, the token of an attendee of another
  /// meeting, and the gateway's REST handler.
  private struct Scene {
    let fixture: ControlFixture
    let face: RESTHandler
    let meeting: MeetingID
    let ada: AttendeeID
    let tokens: (own: String, other: String)

    func status(
      _ who: Who, _ method: String, _ path: String, _ body: String? = nil
    ) async -> Int {
      let bearer: String? =
        switch who {
        case .nobody: nil
        case .attendee: tokens.own
        case .other: tokens.other
        case .lobby: lobbyKey
        case .operators: operatorKey
        }
      let headers: [RESTRequest.Header] =
        [.init(name: "Host", value: "127.0.0.1:8080")]
        + (bearer.map { [.init(name: "Authorization", value: "Bearer \($0)")] } ?? [])
      return await face.send(method, "/carillon/v1/\(path)", body, headers: headers).status
    }

    /// Returns the callers that receive this status.
    func those(
      answered status: Int, _ method: String, _ path: String, _ body: String? = nil
    ) async -> Set<Who> {
      var found: Set<Who> = []
      for who in Who.allCases where await self.status(who, method, path, body) == status {
        found.insert(who)
      }
      return found
    }
  }

  private func withScene(_ lobby: MeetingStartPolicy, _ body: (Scene) async throws -> Void)
    async throws
  {
    try await withControl { fixture in
      var face = fixture.face(
        LobbyAuthenticator(
          lobby: lobby, operatorKey: Array(Self.operatorKey.utf8), others: Nobody()))
      face.web = WebPageHandler(
        files: nil, lobby: lobby, origins: OriginPolicy([]), desk: LobbyAdmission(),
        languages: { ["en-US"] })
      let meeting = try await fixture.makeMeeting()
      let elsewhere = try await fixture.makeMeeting("token-2")
      let ada = AttendeeRequest(externalUserID: try ExternalUserID("ada"))
      let own = try await fixture.control.createAttendee(ada, in: meeting)
      let other = try await fixture.control.createAttendee(ada, in: elsewhere)
      try await body(
        Scene(
          fixture: fixture, face: face, meeting: meeting, ada: own.attendee.id,
          tokens: (own.joinToken.text, other.joinToken.text)))
    }
  }

  private static var keyed: MeetingStartPolicy { .key(Array(lobbyKey.utf8)) }

  /// Returns a request for a meeting with a new name.
  private func start() -> String {
    #"{"Meeting":"\#(MeetingID.random().text.prefix(8))","Name":"Lin Yu","Create":true}"#
  }

  @Test func `a visitor starts a meeting with the lobby's key or in an open lobby`() async throws {
    for who in Who.allCases {
      try await withScene(Self.keyed) { scene in
        let status = await scene.status(who, "POST", "web/join", start())
        #expect(status == ([.lobby, .operators].contains(who) ? 200 : 403), "\(who)")
      }
      try await withScene(.open) { scene in
        #expect(await scene.status(who, "POST", "web/join", start()) == 200, "\(who)")
      }
      try await withScene(.closed) { scene in
        let status = await scene.status(who, "POST", "web/join", start())
        #expect(status == (who == .operators ? 200 : 403), "\(who)")
      }
    }
  }

  @Test func `only the person who starts a meeting gets a host token`() async throws {
    try await withScene(.open) { scene in
      let headers = [RESTRequest.Header(name: "Host", value: "127.0.0.1:8080")]
      let started = await scene.face.send(
        "POST", "/carillon/v1/web/join", start(), headers: headers)
      let meeting = try MeetingID(started.body["Meeting", "MeetingId"].string)
      let token = HostToken(started.body["HostToken"].string)
      let now = scene.fixture.control.settings.now() / 1_000
      let grant = try scene.fixture.store.tokens.hostTokens.check(token, for: meeting, at: now)
      #expect(grant.expiresAt == now + HostTokenIssuer.lifetime)
      for body in [
        #"{"Meeting":"\#(meeting.text)","Name":"Eve"}"#,
        #"{"Meeting":"standup","Name":"Eve","Create":true}"#,
      ] {
        let joined = await scene.face.send("POST", "/carillon/v1/web/join", body, headers: headers)
        #expect(joined.status == 200)
        #expect(joined.body["HostToken"] == .null)
        #expect(joined.body["ExpiresAt"] == .null)
      }
    }
  }

  @Test func `requests of hosts need the meeting's host token`() async throws {
    for lobby in [Self.keyed, MeetingStartPolicy.open, MeetingStartPolicy.closed] {
      try await withScene(lobby) { scene in
        let path = "host/meetings/\(scene.meeting.text)"
        for (method, path, body) in [
          ("PUT", "\(path)/lock", #"{"Locked":true}"#), ("POST", "\(path)/mute", "{}"),
          ("DELETE", path, nil),
        ] as [(String, String, String?)] {
          let refused = await scene.those(answered: 401, method, path, body)
          #expect(refused == Set(Who.allCases), "\(method) \(path)")
        }
      }
    }
  }

  @Test func `a visitor joins a running meeting by the meeting's name`() async throws {
    // Every caller that sends a key sends the correct key.
    let keyed: Set<Who> = [.nobody, .lobby, .operators]
    let cases: [(MeetingStartPolicy, Set<Who>)] = [
      (Self.keyed, keyed), (MeetingStartPolicy.open, Set(Who.allCases)),
      (MeetingStartPolicy.closed, [Who.operators]),
    ]
    for (lobby, joining) in cases {
      try await withScene(lobby) { scene in
        for body in [
          #"{"Meeting":"standup","Name":"Lin Yu"}"#,
          #"{"Meeting":"standup","Name":"Lin Yu","Create":true}"#,
        ] {
          #expect(await scene.those(answered: 200, "POST", "web/join", body) == joining)
        }
      }
    }
  }

  @Test func `a lock protects a meeting whose name can be guessed`() async throws {
    try await withScene(Self.keyed) { scene in
      try await scene.fixture.control.setLocked(true, scene.meeting)
      let body = #"{"Meeting":"\#(scene.meeting.text)","Name":"Eve"}"#
      #expect(await scene.status(.nobody, "POST", "web/join", body) == 422)
      #expect(await scene.status(.lobby, "POST", "web/join", body) == 422)
    }
  }

  @Test func `any attendee of the meeting can switch captions on and off`() async throws {
    let present: Set<Who> = [.attendee, .operators]
    let cases: [(MeetingStartPolicy, Set<Who>)] = [
      (Self.keyed, present), (MeetingStartPolicy.open, present),
      (MeetingStartPolicy.closed, [Who.operators]),
    ]
    for (lobby, switching) in cases {
      try await withScene(lobby) { scene in
        let path = "web/meetings/\(scene.meeting.text)/transcription"
        let body = #"{"LanguageCode":"en-US"}"#
        #expect(await scene.those(answered: 200, "PUT", path, body) == switching)
        #expect(await scene.those(answered: 204, "DELETE", path) == switching)
      }
    }
  }

  @Test func `while a host is present, attendees cannot switch captions`() async throws {
    try await withScene(.open) { scene in
      let path = "web/meetings/\(scene.meeting.text)/transcription"
      let body = #"{"LanguageCode":"en-US"}"#
      let members = { (who: Who) async -> Bool? in
        let headers = [
          RESTRequest.Header(name: "Host", value: "127.0.0.1:8080"),
          .init(
            name: "Authorization",
            value: "Bearer \(who == .operators ? Self.operatorKey : scene.tokens.own)"),
        ]
        let answer = await scene.face.send("GET", "/carillon/v1/\(path)", headers: headers)
        guard case .bool(let may) = answer.body["MaySwitch"] else { return nil }
        return may
      }
      #expect(await members(.attendee) == true)
      #expect(await scene.those(answered: 200, "GET", path) == [.attendee, .operators])
      _ = try await scene.face.listKnocks(of: scene.meeting)
      #expect(await members(.attendee) == false)
      #expect(await members(.operators) == true)
      #expect(await scene.those(answered: 200, "PUT", path, body) == [.operators])
      #expect(await scene.those(answered: 204, "DELETE", path) == [.operators])
      let refused = Set(Who.allCases).subtracting([.operators])
      #expect(await scene.those(answered: 403, "PUT", path, body) == refused)
      #expect(await scene.those(answered: 403, "DELETE", path) == refused)
    }
  }

  @Test func `only an appointed attendee who sends the join token gets a host token`() async throws
  {
    let cases: [(MeetingStartPolicy, Set<Who>)] = [
      (Self.keyed, [.attendee]), (MeetingStartPolicy.open, [.attendee]),
      (MeetingStartPolicy.closed, []),
    ]
    for (lobby, appointed) in cases {
      try await withScene(lobby) { scene in
        let now = scene.fixture.control.settings.now() / 1_000
        let appointments = scene.fixture.store.tokens.appointments
        let path = "web/meetings/\(scene.meeting.text)/host-token"
        let body = { (appointment: HostAppointment) in #"{"Appointment":"\#(appointment.text)"}"# }
        let own = appointments.issue(for: scene.ada, in: scene.meeting, at: now)
        #expect(await scene.those(answered: 200, "POST", path, body(own)) == appointed)
        for refused in [
          appointments.issue(for: .random(), in: scene.meeting, at: now),
          appointments.issue(for: scene.ada, in: .random(), at: now),
          appointments.issue(
            for: scene.ada, in: scene.meeting, at: now - HostAppointmentIssuer.lifetime),
          HostAppointment(scene.tokens.own),
        ] {
          let answered = await scene.those(answered: 403, "POST", path, body(refused))
          #expect(answered == Set(Who.allCases))
        }
        let missing = await scene.status(.attendee, "POST", path, "{}")
        #expect(missing == (appointed.isEmpty ? 403 : 400))
      }
    }
  }

  @Test func `an appointed attendee gets a host token, but not after the attendee's removal`()
    async throws
  {
    try await withScene(.open) { scene in
      let now = scene.fixture.control.settings.now() / 1_000
      let tokens = scene.fixture.store.tokens
      let appointment = tokens.appointments.issue(for: scene.ada, in: scene.meeting, at: now)
      let exchange = {
        await scene.face.send(
          "POST", "/carillon/v1/web/meetings/\(scene.meeting.text)/host-token",
          #"{"Appointment":"\#(appointment.text)"}"#,
          headers: [
            .init(name: "Host", value: "127.0.0.1:8080"),
            .init(name: "Authorization", value: "Bearer \(scene.tokens.own)"),
          ])
      }
      let token = HostToken(await exchange().body["HostToken"].string)
      let grant = try tokens.hostTokens.check(token, for: scene.meeting, at: now)
      #expect(grant.expiresAt == now + HostTokenIssuer.lifetime)
      try await scene.fixture.control.setBarred(true, attendee: scene.ada, in: scene.meeting)
      #expect(await exchange().status == 403)
    }
  }

  @Test func `operations that the page does not use need an operator's key`() async throws {
    for lobby in [Self.keyed, MeetingStartPolicy.open, MeetingStartPolicy.closed] {
      try await withScene(lobby) { scene in
        let meeting = "meetings/\(scene.meeting.text)"
        for (method, path, body) in [
          ("GET", "meetings", nil), ("GET", "services", nil), ("GET", "limits", nil),
          ("GET", "webhooks", nil), ("GET", "\(meeting)/roster", nil),
          ("GET", "\(meeting)/messages", nil), ("GET", "\(meeting)/events", nil),
          ("GET", "\(meeting)/attendance", nil),
          ("PUT", "\(meeting)/lock", #"{"Locked":false}"#),
          ("POST", "webhooks", #"{"Url":"http://a.example/"}"#),
          ("POST", "erase", #"{"ExternalUserId":"nobody"}"#),
        ] as [(String, String, String?)] {
          let refused = await scene.those(answered: 403, method, path, body)
          #expect(refused == Set(Who.allCases).subtracting([.operators]), "\(method) \(path)")
        }
      }
    }
  }

  @Test func `the operator's key permits no operation of the published interface`() async throws {
    try await withScene(.open) { scene in
      let headers = [
        RESTRequest.Header(name: "Host", value: "127.0.0.1:8080"),
        .init(name: "Authorization", value: "Bearer \(Self.operatorKey)"),
      ]
      let path = "/meetings/\(scene.meeting.text)"
      #expect(await scene.face.send("DELETE", path, headers: headers).status == 403)
    }
  }
}
