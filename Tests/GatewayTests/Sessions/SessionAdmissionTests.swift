import MeetingModel
import Storage
import Testing

@testable import Gateway

/// Tests of the admission of clients, over every kind of connection.
@Suite(.timeLimit(.minutes(5))) struct SessionAdmissionTests {
  @Test func `a client with valid credentials gets a session`() async throws {
    try await withKeeper { fixture in
      let (request, link) = (try await fixture.request(), LocalLink())
      var prepared: [MeetingID] = []
      let session = try await fixture.admission.admit(
        request, link, at: nil, willOpen: { prepared.append($0.id) })
      #expect(session?.participant == request.participant)
      #expect(prepared == [request.meeting])
      await fixture.answerAll()
      #expect(link.names.first == "sessionStarted")
      #expect(fixture.context.admissions == 0)
    }
  }

  @Test func `a request with invalid credentials opens no session and uses no admission turn`()
    async throws
  {
    try await withKeeper { fixture in
      let right = try await fixture.request().credentials
      let wrong = SessionCredentials(
        meeting: right.meeting, participant: right.participant, token: JoinToken("guessed"))
      let (admission, link) = (fixture.admission, LocalLink())
      let status = await refusal { () async throws(Status) in
        _ = try await admission.admit(SessionRequest(credentials: wrong), link, at: nil)
      }
      #expect(status == SessionCredentials.refused)
      #expect(fixture.context.admissions == 0)
      #expect(try await !fixture.turns.next().hasWaited)
    }
  }

  @Test func `a client gives its turn back if it disconnects before its admission`() async throws {
    try await withKeeper { fixture in
      let (request, link) = (try await fixture.request(), LocalLink())
      let session = try await fixture.admission.admit(request, link, at: nil, while: { false })
      #expect(session == nil)
      #expect(!fixture.context.sessions.isOpening)
      #expect(try await !fixture.turns.next().hasWaited)
    }
  }

  @Test func `an attendee who is deleted while waiting for a turn is refused`() async throws {
    try await withKeeper { fixture in
      let request = try await fixture.request()
      let turn = try await fixture.turns.next().turn
      let waiting = Task { await fixture.refusal(of: request) }
      while fixture.turns.waitingCount == 0 { await Task.yield() }
      try await fixture.context.store.deleteAttendee(
        request.participant.attendee, in: request.meeting, at: 1)
      fixture.turns.end(turn)
      #expect(await waiting.value == SessionCredentials.refused)
      #expect(try await !fixture.turns.next().hasWaited)
    }
  }

  @Test func `a refused client receives the reason`() async throws {
    try await withKeeper { fixture in
      let (session, link) = (try fixture.opening(LocalLink()), LocalLink())
      fixture.admission.refuse(session.label, link, with: SessionCredentials.refused)
      #expect(link.ends == [SessionCredentials.refused])
    }
  }
}

extension KeeperFixture {
  /// Returns the request of a new attendee of a new meeting.
  fileprivate func request() async throws -> SessionRequest {
    let meeting = try await makeMeeting("standup")
    let issued = try await makeAttendee("ada", in: meeting)
    return SessionRequest(
      credentials: SessionCredentials(
        meeting: meeting.id, participant: ParticipantID(issued.attendee.id),
        token: issued.joinToken))
  }

  fileprivate func refusal(of request: SessionRequest) async -> Status? {
    let (admission, link) = (admission, LocalLink())
    return await GatewayTests.refusal { () async throws(Status) in
      _ = try await admission.admit(request, link, at: nil)
    }
  }
}
