import MeetingModel
import Testing
import Wire

@testable import Bus
@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct StreamHubTests {
  /// Counts the volatile events, and delivers these events to no session.
  private final class VolatileCounter: EventStreamHubHandler {
    private(set) var count = 0

    func deliverVolatile(_ header: V1.EventHeader, _ body: [UInt8], to hub: StreamHub) {
      count += 1
    }
  }

  /// The sessions whose positions were too old.
  private final class Gaps: EventStreamHubHandler {
    private(set) var sessions: [SessionNumber] = []

    func note(_ session: GatewayClientSession) {
      sessions.append(session.number)
      session.lose(.roster)
    }
  }

  /// Runs a test with a hub whose two clients have received everything up to event 2.
  private func withHub(
    _ body:
      @Sendable (
        isolated KeeperFixture, StreamHub, _ links: [LocalLink], _ sessions: [GatewayClientSession],
        _ gaps: Gaps
      ) async throws -> Void
  ) async throws {
    try await withKeeper { fixture in
      let gaps = Gaps()
      let links = [LocalLink(), LocalLink()]
      let sessions = [try fixture.opening(links[0]), try fixture.opening(links[1])]
      let hub = StreamHub(.roster, of: sessions[0].meeting, for: gaps, onGap: gaps.note)
      for session in sessions {
        hub.add(session)
        hub.place(session, at: StreamCursor(epoch: 5, sequence: 2))
      }
      try await body(fixture, hub, links, sessions, gaps)
      for link in links { _ = link.flush() }
    }
  }

  private func deliver(_ event: V1.PackedEvent, to hub: StreamHub) throws {
    hub.deliver(try #require(event.header), event.body)
  }

  @Test func `each client gets all events that it may see, each exactly once`() async throws {
    try await withHub { _, hub, links, sessions, _ in
      let own = sessions[0].participant.text
      try deliver(.numbered(3, epoch: 5), to: hub)
      try deliver(.numbered(3, epoch: 5), to: hub)
      try deliver(.numbered(4, epoch: 5, for: [own]), to: hub)
      try deliver(.numbered(5, epoch: 5), to: hub)
      for link in links { _ = link.flush() }
      #expect(links.map(\.numbers) == [["3", "4", "5"], ["3", "5"]])
      // The position of a client also advances past events that the client may not see.
      #expect(sessions.map { $0.cursors[.roster]?.sequence } == [5, 5])
    }
  }

  @Test func `a client that misses an event gets no later events, and the hub reports the client`()
    async throws
  {
    try await withHub { _, hub, links, sessions, gaps in
      sessions[1].cursors[.roster] = StreamCursor(epoch: 5, sequence: 1)
      try deliver(.numbered(3, epoch: 5), to: hub)
      try deliver(.numbered(4, epoch: 5), to: hub)
      for link in links { _ = link.flush() }
      #expect(links.map(\.numbers) == [["3", "4"], []])
      #expect(gaps.sessions == [sessions[1].number])
      #expect(sessions[1].owed[.roster] == StreamCursor(epoch: 5, sequence: 1))
    }
  }

  @Test func `a slightly late client gets the recent events from the hub`() async throws {
    try await withHub { fixture, hub, _, _, _ in
      for sequence in 3...6 as ClosedRange<UInt64> {
        try deliver(.numbered(sequence, epoch: 5), to: hub)
      }
      let link = LocalLink()
      let late = try fixture.opening(link)
      hub.add(late)
      hub.place(late, at: StreamCursor(epoch: 5, sequence: 4))
      _ = link.flush()
      #expect(link.numbers == ["5", "6"])
    }
  }

  @Test func `a hub keeps the last 512 events`() async throws {
    try await withHub { fixture, hub, _, _, gaps in
      let count: UInt64 = 5_000
      for sequence in 3...count { try deliver(.numbered(sequence, epoch: 5), to: hub) }
      for (missed, isServed) in [(UInt64(512), true), (513, false)] {
        let link = LocalLink()
        let late = try fixture.opening(link)
        let before = gaps.sessions.count
        hub.add(late)
        hub.place(late, at: StreamCursor(epoch: 5, sequence: count - missed))
        _ = link.flush()
        #expect(link.numbers.count == (isServed ? Int(missed) : 0))
        #expect(gaps.sessions.count - before == (isServed ? 0 : 1))
      }
    }
  }

  @Test
  func `the hub keeps the frames of the newest sixteen events and only the bytes of older events`()
    async throws
  {
    try await withHub { _, hub, links, _, _ in
      var sent: [[UInt8]] = []
      for sequence in 3...42 as ClosedRange<UInt64> {
        try deliver(.numbered(sequence, epoch: 5), to: hub)
        _ = links[0].flush()
        sent.append(try #require(links[0].items.last).message.bytes)
      }
      let items = links[0].items
      #expect(items.map(\.isFramed) == items.indices.map { $0 >= items.count - 16 })
      #expect(items.map(\.message.bytes) == sent)
    }
  }

  @Test func `events of another epoch are delivered to nobody`() async throws {
    try await withHub { fixture, hub, links, sessions, _ in
      try deliver(.numbered(3, epoch: 6), to: hub)
      _ = links[0].flush()
      #expect(links[0].numbers.isEmpty)
      // After a change of the numbering, the hub does not send the events that it kept before this
      // change.
      hub.forgetRecent()
      let link = LocalLink()
      let late = try fixture.opening(link)
      hub.place(late, at: StreamCursor(epoch: 6, sequence: 2))
      _ = link.flush()
      #expect(link.numbers.isEmpty)
      #expect(sessions[0].cursors[.roster] == StreamCursor(epoch: 5, sequence: 2))
    }
  }

  @Test func `volatile events go to the clients that may see them, or to the hub's handler`()
    async throws
  {
    try await withHub { _, hub, links, sessions, _ in
      try deliver(.numbered(0, epoch: 5, for: [sessions[1].participant.text]), to: hub)
      for link in links { _ = link.flush() }
      #expect(links.map(\.numbers) == [[], ["0"]])
      let counter = VolatileCounter()
      let other = StreamHub(.roster, of: hub.meeting, for: counter) { _ in }
      for session in sessions { other.add(session) }
      try deliver(.numbered(0, epoch: 5), to: other)
      for link in links { _ = link.flush() }
      #expect(counter.count == 1)
      #expect(links.map(\.numbers.count) == [0, 1])
    }
  }

  @Test func `a hub is in use while a client is about to join the hub`() async throws {
    try await withHub { _, hub, _, sessions, _ in
      hub.holds += 1
      for session in sessions { hub.remove(session) }
      #expect(!hub.isUnused)
      hub.holds -= 1
      #expect(hub.isUnused)
    }
  }
}
