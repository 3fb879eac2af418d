import MeetingModel
import OwnerTestSupport
import Testing
import Wire

@testable import Presence

struct JoinCoalescerTests {
  private func event(_ changes: PresenceChange...) -> RosterEvent {
    RosterEvent(updates: [.presence(changes)])
  }

  @Test func `joins of a meeting are combined into one event in the order of arrival`() {
    var turn = JoinCoalescer()
    let kept = [
      turn.keep(event(.joined(Person.ada.entry())), of: .planning),
      turn.keep(event(.joined(Person.edsger.entry())), of: .audience),
      turn.keep(event(.joined(Person.grace.entry())), of: .planning),
    ]
    #expect(kept == [true, true, true])
    #expect(Set(turn.meetings) == [.planning, .audience])
    let taken = turn.taken(of: .planning)
    #expect(taken == event(.joined(Person.ada.entry()), .joined(Person.grace.entry())))
    let again = turn.taken(of: .planning)
    #expect(again == nil)
    #expect(turn.meetings == [.audience])
  }

  @Test func `only events that contain nothing but joins are combined`() {
    var turn = JoinCoalescer()
    let join = PresenceChange.joined(Person.ada.entry())
    let mute = RosterUpdate.mute([MuteChange(participant: Person.ada.participant, mute: .own)])
    let ended = [SessionToEnd(session: Person.ada.session(), status: .meetingDeleted)]
    let kept = [
      event(.departed(Person.ada.identity, .client)),
      event(join, .departed(Person.grace.identity, .client)),
      RosterEvent(updates: [.presence([join]), mute]),
      RosterEvent(updates: [.presence([join])], ended: ended),
      RosterEvent(updates: [.presence([join])], meetingEnded: .meetingDeleted),
      RosterEvent(updates: [.presence([join])], onlyFor: Person.ada.participant),
    ].map { turn.keep($0, of: .planning) }
    #expect(!kept.contains(true))
    #expect(turn.meetings.isEmpty)
  }

  @Test func `a combined event contains a limited number of joins`() {
    var turn = JoinCoalescer()
    let kept = (1...UInt8(JoinCoalescer.mostInEvent + 1)).map { number in
      turn.keep(event(.joined(Person(number: number).entry())), of: .planning)
    }
    #expect(kept.dropLast().allSatisfy { $0 })
    #expect(kept.last == false)
  }

  @Test(.timeLimit(.minutes(5))) func `joins of one event-loop turn are published in one event`()
    async throws
  {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        try await gateway.join(.ada)
        let people = (2...9).map { Person(number: $0) }
        let replies = try await gateway.join(together: people)
        // The roster of each admitted person contains everybody who joined in the same turn of the
        // event loop.
        #expect(replies.map(\.roster?.sequence) == Array(repeating: 2, count: 8))
        #expect(replies.allSatisfy { $0.roster?.entries.count == 9 })
        let event = try await gateway.event { $0.header.sequence == 2 }
        #expect(
          event.presence.map(\.attendee?.attendeeID) == people.map(\.participant.text))
        try await gateway.leave(.ada)
        let next = try await gateway.event { $0.header.sequence == 3 }
        #expect(next.presence.map(\.state) == [.left])
      }
    }
  }

  @Test(.timeLimit(.minutes(5))) func `a malformed join is refused, and the other joins succeed`()
    async throws
  {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        let people = (2...9).map { Person(number: $0) }
        let bad = await gateway.joinMalformed(amongst: people)
        #expect(bad?.code == .invalidArgument)
        let event = try await gateway.event { $0.header.sequence == 1 }
        #expect(
          event.presence.map(\.attendee?.attendeeID) == people.map(\.participant.text))
        let snapshot = try await gateway.snapshot()
        #expect((snapshot.sequence, snapshot.entries.count) == (1, people.count))
      }
    }
  }

  @Test(.timeLimit(.minutes(5)))
  func `a mute in the same event-loop turn as a join is published after the join`()
    async throws
  {
    try await withPresence { presence in
      try await presence.withGateway { gateway in
        try await gateway.follow()
        try await gateway.joinMuting(.ada)
        let join = try await gateway.event { $0.header.sequence == 1 }
        #expect(join.presence.map(\.state) == [.joined])
        #expect(join.presence.map(\.isMuted) == [false])
        let mute = try await gateway.event { $0.header.sequence == 2 }
        guard case .muteChanged(let changed)? = mute.body.events.first?.event else {
          Issue.record("Another event came: \(mute.body).")
          return
        }
        #expect(changed.changes.map(\.isMuted) == [true])
      }
    }
  }
}
