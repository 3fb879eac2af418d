import MeetingModel
import Testing

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct AdmissionTurnsTests {
  /// Starts a client that has to wait for its turn, and returns when the client waits.
  private func waiting(
    in fixture: isolated KeeperFixture
  ) async -> Task<AdmissionQueue.Ticket, any Error> {
    let before = fixture.turnsAsked
    let task = Task { try await fixture.waitForTurn() }
    while fixture.turnsAsked == before { await Task.yield() }
    return task
  }

  @Test func `a waiting request gets its turn when a session begins`() async throws {
    try await withKeeper { fixture in
      let turns = fixture.turns
      let first = try await turns.next()
      #expect(!first.hasWaited)
      let link = LocalLink()
      try fixture.open(link, inTurn: first.turn)
      let second = await waiting(in: fixture)
      await fixture.answerAll()
      #expect(link.names.first == "sessionStarted")
      _ = try await second.value
    }
  }

  @Test func `a waiting request gets its turn when another request is refused or disconnected`()
    async throws
  {
    try await withKeeper { fixture in
      let turns = fixture.turns
      fixture.roster.answer = .failure(Status(.resourceExhausted, "It is full."))
      try fixture.open(LocalLink(), inTurn: try await turns.next().turn)
      let second = await waiting(in: fixture)
      await fixture.answerAll()
      let turn = try await second.value
      let session = try fixture.open(LocalLink(), inTurn: turn)
      let third = await waiting(in: fixture)
      fixture.keeper.detach(session, because: nil)
      _ = try await third.value
    }
  }

  @Test func `a request gets a retry delay if the queue is full or the gateway stops`()
    async throws
  {
    try await withKeeper { fixture in
      let turns = fixture.turns
      _ = try await turns.next()
      let second = await waiting(in: fixture)
      do throws(Status) {
        _ = try await turns.next()
        Issue.record("More wait than may.")
      } catch {
        #expect(error.code == .unavailable && error.reason == .overloaded)
        #expect(try #require(error.retryAfter) >= .milliseconds(250))
      }
      turns.close()
      do {
        _ = try await second.value
        Issue.record("A gateway that stops gave a turn.")
      } catch {
        #expect((error as? Status)?.reason == .overloaded)
      }
    }
  }
}

extension KeeperFixture {
  fileprivate func waitForTurn() async throws -> AdmissionQueue.Ticket {
    turnsAsked += 1
    let (turn, hasWaited) = try await turns.next()
    #expect(hasWaited)
    return turn
  }
}
