import MeetingModel
import Testing
import Wire

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct GatewaySessionManagerTests {
  private static let wrong = Status(
    .resourceExhausted, "It is full.", session: .audioCallAtCapacity)

  @Test func `a session on any kind of connection begins when it is in the roster`() async throws {
    try await withKeeper { fixture in
      let link = LocalLink()
      try fixture.open(link)
      await fixture.answerAll()
      #expect(link.names.first == "sessionStarted")
      #expect(fixture.context.sessions.count == 1)
      #expect(fixture.media.takenIn == 1)
      #expect(link.ends.isEmpty)
    }
  }

  @Test func `a session that presence refuses gets the reason, and no service keeps the session`()
    async throws
  {
    try await withKeeper { fixture in
      fixture.roster.answer = .failure(Self.wrong)
      let link = LocalLink()
      try fixture.open(link)
      await fixture.answerAll()
      #expect(link.ends == [Self.wrong])
      #expect(link.events.isEmpty)
      #expect(fixture.messages.released == [.cutOff])
      #expect(fixture.roster.detached == 1)
      #expect(!fixture.context.sessions.isOpening)
      #expect(fixture.roster.scripted.hubs.isEmpty)
    }
  }

  @Test func `sessionStarted names the incomplete streams, and an event reports later losses`()
    async throws
  {
    try await withKeeper { fixture in
      fixture.messages.answer = .success(false)
      let link = LocalLink()
      try fixture.open(link)
      await fixture.answerAll()
      guard case .sessionStarted(let started)? = link.events.first else {
        return #expect(Bool(false))
      }
      #expect(started.incompleteStreams == ["messages"])
      #expect(link.names == ["sessionStarted"])
      guard let session = fixture.context.sessions.all.first else { return #expect(Bool(false)) }
      fixture.keeper.lacks(session.number, fixture.messages.need.service)
      await fixture.answerAll()
      #expect(link.names == ["sessionStarted", "eventsLost"])
    }
  }

  @Test func `the end of a session reports whether the gateway drains or stops`() async throws {
    try await withKeeper { fixture in
      let link = LocalLink()
      try fixture.open(link)
      await fixture.answerAll()
      var gateways = ResumeGateways()
      gateways.isDraining = true
      fixture.keeper.show(gateways)
      #expect(link.ends.map { $0?.reason } == [.draining])
      #expect(link.ends.last??.message.hasPrefix("This gateway is draining: ") == true)
      let other = LocalLink()
      try fixture.open(other)
      await fixture.answerAll()
      fixture.keeper.drain()
      #expect(other.ends.map { $0?.reason } == [.draining])
      #expect(other.ends.last??.message.hasPrefix("This gateway is stopping. ") == true)
    }
  }

  @Test func `a client that reads too slowly is detached and gets the reason`() async throws {
    try await withKeeper { fixture in
      let link = LocalLink()
      try fixture.open(link)
      await fixture.answerAll()
      link.outcome = .overBudget
      guard let session = fixture.context.sessions.all.first else { return #expect(Bool(false)) }
      session.queue(.eventsLost(V1.EventsLost(stream: "messages")))
      fixture.keeper.flush()
      #expect(link.ends.map { $0?.reason } == [.slowConsumer])
      #expect(fixture.roster.detached == 1)
      #expect(fixture.roster.released.isEmpty)
      #expect(fixture.context.sessions.count == 0)
    }
  }

  @Test func `a session that is resumed on another connection replaces the older session`()
    async throws
  {
    try await withKeeper { fixture in
      let (older, newer) = (LocalLink(), LocalLink())
      try fixture.open(older)
      await fixture.answerAll()
      guard let session = fixture.context.sessions.all.first else { return #expect(Bool(false)) }
      try fixture.open(newer, resuming: session.id)
      await fixture.answerAll()
      #expect(newer.names.first == "sessionStarted")
      #expect(fixture.context.sessions.count == 2 || fixture.context.sessions.count == 1)
      #expect(fixture.roster.detached == 0)
    }
  }

  @Test func `a client that floods is disconnected and does not count as having left`() async throws
  {
    try await withKeeper { fixture in
      let link = LocalLink()
      try fixture.open(link)
      await fixture.answerAll()
      guard let session = fixture.context.sessions.all.first else { return #expect(Bool(false)) }
      fixture.keeper.end(session, Self.wrong, .cutOff)
      #expect(fixture.roster.released == [.cutOff])
      #expect(link.ends == [Self.wrong])
      #expect(fixture.roster.scripted.hubs.isEmpty)
    }
  }

  @Test func `a pause of the gateway's process does not count as silence of the gateway's clients`()
    async throws
  {
    try await withKeeper { fixture in
      let link = LocalLink()
      try fixture.open(link)
      await fixture.answerAll()
      guard let session = fixture.context.sessions.all.first else { return #expect(Bool(false)) }
      session.lastHeard -= .seconds(10)
      fixture.standStill()
      fixture.keeper.endSilentSessions()
      #expect(fixture.context.sessions.count == 1)
      session.lastHeard -= .seconds(10)
      fixture.keeper.endSilentSessions()
      #expect(link.ends.map { $0?.reason } == [.keepAliveLost])
    }
  }

  @Test func `a client that left during a pause of the gateway's process does not count as silent`()
    async throws
  {
    try await withKeeper { fixture in
      let link = LocalLink()
      try fixture.open(link)
      await fixture.answerAll()
      guard let session = fixture.context.sessions.all.first else { return #expect(Bool(false)) }
      session.lastHeard -= .seconds(10)
      fixture.standStill()
      // When the session manager sends the waiting events, the manager notices that the client is
      // unreachable.
      session.queue(.eventsLost(V1.EventsLost(stream: "roster")))
      link.outcome = .unreachable
      fixture.keeper.flush()
      let lastHeard = try #require(fixture.roster.lastHeard.first)
      #expect(fixture.context.now - lastHeard < .seconds(5))
    }
  }

  @Test func `the end of a replica releases its sessions in the primary`() async throws {
    try await withKeeper { fixture in
      let ordinary = try await fixture.session(LocalLink())
      fixture.keeper.end(ordinary, nil, .withMeeting)
      #expect(fixture.media.released.isEmpty)
      let replica = try Meeting.sample(primary: .random())
      let watching = try await fixture.session(LocalLink(), in: replica)
      fixture.keeper.end(watching, nil, .withMeeting)
      #expect(fixture.media.released == [.withMeeting])
    }
  }
}
