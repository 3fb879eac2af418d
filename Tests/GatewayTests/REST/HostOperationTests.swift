import MeetingModel
import ServiceHost
import Storage
import Synchronization
import Testing

@testable import Gateway

/// Tests of host tokens through REST: who gets a token, what a host may do, and which tokens the
/// gateway refuses.
@Suite(.timeLimit(.minutes(5))) struct HostOperationTests {
  /// A meeting with a host's token and an attendee, and another meeting.
  private struct Scene {
    let fixture: ControlFixture
    let face: RESTHandler
    let meeting: MeetingID
    let elsewhere: MeetingID
    let ada: AttendeeID
    let token: String

    var path: String { "/carillon/v1/host/meetings/\(meeting.text)" }

    func act(
      _ method: String, _ path: String, _ body: String? = nil, as bearer: String?
    ) async -> Answer {
      var headers = [RESTRequest.Header(name: "Host", value: "gateway.test:8080")]
      if let bearer { headers.append(.init(name: "Authorization", value: "Bearer \(bearer)")) }
      return await face.send(method, path, body, headers: headers)
    }

    /// Sends each request that a host may make, with the given token, and returns the answers.
    func everyAct(as bearer: String?) async -> [Answer] {
      var answers: [Answer] = []
      for (method, path, body) in acts {
        answers.append(await act(method, path, body, as: bearer))
      }
      return answers
    }

    private var acts: [(String, String, String?)] {
      [
        ("POST", "\(path)/attendees/\(ada.text)/mute", nil), ("POST", "\(path)/mute", "{}"),
        ("POST", "\(path)/attendees/\(ada.text)/ask-to-unmute", nil),
        ("POST", "\(path)/attendees/\(ada.text)/lower-hand", nil),
        ("POST", "\(path)/lower-hands", nil),
        ("POST", "\(path)/attendees/\(ada.text)/appoint", nil),
        ("PUT", "\(path)/lock", #"{"Locked":true}"#),
        ("PUT", "\(path)/transcription", #"{"LanguageCode":"en-US"}"#),
        ("DELETE", "\(path)/transcription", nil),
        ("POST", "\(path)/attendees/\(ada.text)/remove", nil), ("DELETE", path, nil),
      ]
    }
  }

  private func withScene(_ body: (Scene) async throws -> Void) async throws {
    try await withControl { fixture in
      let face = fixture.signedHandler
      let meeting = try await fixture.makeMeeting()
      let minted = await fixture.face.send(
        "POST", "/carillon/v1/meetings/\(meeting.text)/host-tokens")
      #expect(minted.status == 200)
      #expect(minted.body["ExpiresAt"].string == "1970-01-02T00:16:40.000Z")
      try await body(
        Scene(
          fixture: fixture, face: face, meeting: meeting,
          elsewhere: try await fixture.makeMeeting("token-2"),
          ada: try await fixture.makeAttendee("ada", in: meeting),
          token: minted.body["HostToken"].string))
    }
  }

  @Test func `creating a host token needs a key that may change meetings`() async throws {
    try await withScene { scene in
      let unsigned = await scene.face.send(
        "POST", "/carillon/v1/meetings/\(scene.meeting.text)/host-tokens")
      #expect(unsigned.status == 403)
      let missing = await scene.fixture.face.send(
        "POST", "/carillon/v1/meetings/\(MeetingID.random().text)/host-tokens")
      #expect(missing.error == "NotFoundException")
      let row = RESTOperation.table.first { $0.name.labelValue == "CreateHostToken" }
      #expect(row?.right == .key(.changes))
    }
  }

  @Test
  func `a host can mute, appoint and remove attendees, switch captions, lock and end the meeting`()
    async throws
  {
    try await withScene { scene in
      scene.fixture.effects.state.withLock { $0.rosters[scene.meeting] = [scene.ada] }
      let answers = await scene.everyAct(as: scene.token)
      #expect(answers.map(\.status) == [204, 200, 204, 204, 204, 204, 204, 204, 204, 204, 204])
      #expect(answers[1].body["Muted"] == .integer(1))
      let all = scene.fixture.effects.told
      let captions = all.filter { if case .transcription = $0 { true } else { false } }
      let told = all.filter { !captions.contains($0) }
      #expect(captions.count == 2, "the captions start and stop")
      let appointment = scene.fixture.store.tokens.appointments.issue(
        for: scene.ada, in: scene.meeting, at: scene.fixture.control.settings.now() / 1_000)
      #expect(
        told.prefix(7) == [
          .mutedByHost(scene.ada), .mutedByHost(scene.ada), .noticed(.handLowered(scene.ada)),
          .noticed(.allHandsLowered), .noticed(.appointed(scene.ada, appointment)),
          .locked(true, scene.meeting), .barred(true, scene.ada),
        ])
      #expect(told.count == 8)
      #expect(await scene.act("DELETE", scene.path, as: scene.token).status == 404)
    }
  }

  @Test
  func `a mute of all but the listed attendees does nothing if no other attendee is present`()
    async throws
  {
    try await withScene { scene in
      let nobody = await scene.act("POST", "\(scene.path)/mute", "{}", as: scene.token)
      #expect(nobody.body["Muted"] == .integer(0))
      scene.fixture.effects.state.withLock { $0.rosters[scene.meeting] = [scene.ada] }
      let spared = await scene.act(
        "POST", "\(scene.path)/mute", #"{"ExceptAttendeeIds":["\#(scene.ada.text)"]}"#,
        as: scene.token)
      #expect(spared.body["Muted"] == .integer(0))
      #expect(scene.fixture.effects.told.isEmpty)
    }
  }

  @Test func `a host's unmute request reaches only present attendees who are muted and can unmute`()
    async throws
  {
    try await withScene { scene in
      let effects = scene.fixture.effects
      let path = "\(scene.path)/attendees/\(scene.ada.text)/ask-to-unmute"
      #expect(await scene.act("POST", path, as: scene.token).status == 204)
      effects.state.withLock { $0.rosters[scene.meeting] = [scene.ada] }
      #expect(await scene.act("POST", path, as: scene.token).status == 204)
      effects.state.withLock { $0.operatorMutes = [scene.ada] }
      #expect(await scene.act("POST", path, as: scene.token).status == 204)
      #expect(effects.told.isEmpty)
      effects.state.withLock { ($0.operatorMutes, $0.mutes) = ([], [scene.ada]) }
      #expect(await scene.act("POST", path, as: scene.token).status == 204)
      #expect(effects.told == [.noticed(.unmuteRequest(scene.ada))])
    }
  }

  @Test func `a host's request is refused while messaging does not answer`() async throws {
    try await withScene { scene in
      scene.fixture.effects.state.withLock { $0.failure = Status(.unavailable, "Try again.") }
      let path = "\(scene.path)/lower-hands"
      #expect(await scene.act("POST", path, as: scene.token).status == 503)
    }
  }

  @Test func `a host's mute is not stored`() async throws {
    try await withScene { scene in
      let path = "\(scene.path)/attendees/\(scene.ada.text)/mute"
      #expect(await scene.act("POST", path, as: scene.token).status == 204)
      let stored = try await scene.fixture.store.attendee(scene.ada, in: scene.meeting).attendee
      #expect(!stored.isMutedByOperator)
    }
  }

  @Test func `unknown attendees and malformed requests are rejected`() async throws {
    try await withScene { scene in
      let nobody = AttendeeID.random().text
      let answers = [
        await scene.act("POST", "\(scene.path)/attendees/\(nobody)/mute", as: scene.token),
        await scene.act("POST", "\(scene.path)/attendees/\(nobody)/remove", as: scene.token),
        await scene.act("POST", "\(scene.path)/attendees/\(nobody)/ask-to-unmute", as: scene.token),
        await scene.act("POST", "\(scene.path)/attendees/\(nobody)/lower-hand", as: scene.token),
        await scene.act("POST", "\(scene.path)/attendees/\(nobody)/appoint", as: scene.token),
        await scene.act("POST", "\(scene.path)/attendees/x/mute", as: scene.token),
        await scene.act("PUT", "\(scene.path)/lock", #"{"Locked":1}"#, as: scene.token),
        await scene.act(
          "POST", "\(scene.path)/mute", #"{"ExceptAttendeeIds":["x"]}"#, as: scene.token),
      ]
      #expect(answers.map(\.status) == [404, 404, 404, 404, 404, 400, 400, 400])
      #expect(scene.fixture.effects.told.isEmpty)
    }
  }

  // MARK: Attacks

  @Test func `requests without a host token, or with a forged token, are rejected and counted`()
    async throws
  {
    try await withScene { scene in
      let ben = AttendeeRequest(externalUserID: try ExternalUserID("ben"))
      let joining = try await scene.fixture.control.createAttendee(ben, in: scene.meeting)
      let last: Character = scene.token.last == "A" ? "Q" : "A"
      let cut = String(scene.token.dropLast())
      let forged: [String?] = [nil, "", "x", cut, "\(cut)\(last)", joining.joinToken.text]
      for bearer in forged {
        let answers = await scene.everyAct(as: bearer)
        #expect(answers.allSatisfy { $0.status == 401 } && answers.count == 11)
        #expect(answers.allSatisfy { $0.error == "UnauthorizedClientException" })
        #expect(answers.allSatisfy { $0.response.header("WWW-Authenticate") == "Bearer" })
      }
      #expect(scene.fixture.effects.told.isEmpty)
      let counts = scene.face.metrics.refusedHostTokens
      // Two of the six cases send no token, so the gateway does not count these two cases as
      // forged.
      #expect(counts[.forged].value == 44)
    }
  }

  @Test func `tokens of other meetings and expired tokens are rejected and counted`() async throws {
    try await withScene { scene in
      let tokens = scene.fixture.store.tokens.hostTokens
      let now = scene.fixture.control.settings.now() / 1_000
      let other = tokens.issue(for: scene.elsewhere, at: now).token.text
      let old = tokens.issue(for: scene.meeting, at: now - HostTokenIssuer.lifetime).token.text
      #expect(await scene.everyAct(as: other).allSatisfy { $0.status == 403 })
      #expect(await scene.everyAct(as: old).allSatisfy { $0.status == 401 })
      #expect(scene.fixture.effects.told.isEmpty)
      let counts = scene.face.metrics.refusedHostTokens
      #expect((counts[.otherMeeting].value, counts[.expired].value) == (11, 11))
    }
  }

  @Test func `a host token grants only the operations of hosts`() async throws {
    try await withScene { scene in
      let meeting = "/carillon/v1/meetings/\(scene.meeting.text)"
      for (method, path) in [
        ("GET", "/carillon/v1/meetings"), ("GET", "\(meeting)/roster"),
        ("POST", "\(meeting)/host-tokens"), ("GET", "/meetings/\(scene.meeting.text)"),
        ("DELETE", "/meetings/\(scene.meeting.text)"),
        ("POST", "\(meeting)/attendees/\(scene.ada.text)/allow"),
      ] {
        #expect(await scene.act(method, path, as: scene.token).status == 403, "\(method) \(path)")
      }
    }
  }
}
