import Bus
import MeetingModel
import ServiceHost
import TestSupport
import Trials
import Testing
import Wire

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct PresenceServiceConnectorTests {
  private static let ben = V1.RosterEntry(
    attendee: V1.AttendeeInfo(attendeeID: "ben", externalUserID: "Ben"), volume: .notSpeaking,
    signal: .high)

  private static let roster = V1.RosterSnapshot(epoch: 7, sequence: 4, entries: [ben], tick: 9)

  @Test func `a joining client gets the roster and then the events after the roster`() async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let asked = server.serve(Self.roster)
      let link = LocalLink()
      let session = try fixture.arriving(at: part, link)
      try await part.takeIn(session).give()
      _ = link.flush()
      #expect(asked.joins.map(\.isResume) == [false])
      #expect(asked.joins.map(\.session) == [session.record])
      #expect(link.events == [.rosterSnapshot(Self.roster)])
      #expect(session.cursors[.roster] == StreamCursor(epoch: 7, sequence: 4))
      #expect(session.opening?.isRecovered == false)
    }
  }

  @Test func `a resuming client gets its missed events instead of the roster`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      server.on(V1.PresenceMethods.join) { request, call in
        #expect(request.isResume)
        call.reply(V1.JoinReply(roster: Self.roster, wasPresent: true, term: 3))
      }
      server.on(V1.PresenceMethods.replay) { request, call in
        #expect((request.epoch, request.afterSequence) == (7, 2))
        let missed = [V1.PackedEvent.numbered(3, epoch: 7), .numbered(4, epoch: 7)]
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: missed))))
      }
      let link = LocalLink()
      let session = try fixture.arriving(
        at: part, link, resuming: .random(), after: [.roster: StreamCursor(epoch: 7, sequence: 2)])
      try await part.takeIn(session).give()
      _ = link.flush()
      #expect(link.numbers == ["3", "4"])
      #expect(link.events.count == 2)
      #expect(session.opening?.isRecovered == true)
      #expect(session.opening?.wasPresent == true)
    }
  }

  @Test(arguments: [true, false])
  func `a lost session is reported for the meeting whose roster the session receives`(
    isReplica: Bool
  ) async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      server.serve(Self.roster)
      var lost: [(session: SessionID, meeting: MeetingID)] = []
      fixture.coordinator.onSessionLost = { lost.append(($0, $1)) }
      let meeting = try Meeting.sample(primary: isReplica ? .random() : nil)
      let session = try await fixture.session(LocalLink(), in: meeting)
      let gone = SessionID.random()
      let hub = part.follower.hub(of: session.meeting)
      hub.follower.reset(epoch: 7, sequence: 4)
      hub.deliver(
        V1.EventHeader(epoch: 7, sequence: 5, lostSessions: [gone.bytes, [1, 2, 3]]),
        V1.SessionEvents().packed())
      #expect(lost.map(\.session) == [gone])
      #expect(lost.map(\.meeting) == [session.sourceMeeting])
      #expect(session.sourceMeeting == meeting.primaryID ?? meeting.id)
    }
  }

  @Test func `the levels of an attendee who has left are discarded`() async throws {
    try await withOwner(PresenceServiceConnector.init) { _, part, _ in
      let (ada, ben) = (AttendeeID.random(), AttendeeID.random())
      let hub = part.follower.hub(of: .random())
      hub.follower.reset(epoch: 7, sequence: 4)
      let levels = V1.LevelsChanged(
        epoch: 7, tick: 1,
        volumes: [ada, ben].map { .init(attendeeID: $0.text, level: .high) },
        signals: [ada, ben].map { .init(attendeeID: $0.text, strength: .low) })
      hub.deliver(
        V1.EventHeader(epoch: 7, tick: 1),
        V1.SessionEvents(events: [.init(event: .levelsChanged(levels))]).packed())
      let change = V1.PresenceChange(
        attendee: .init(attendeeID: ada.text, externalUserID: "ada"), state: .left,
        departedAtMs: 30)
      hub.deliver(
        V1.EventHeader(epoch: 7, sequence: 5),
        V1.SessionEvents(
          events: [.init(event: .presenceChanged(.init(changes: [change])))]
        ).packed())
      let kept = part.levels[hub.meeting]?.all(epoch: 7)
      #expect(kept?.volumes.map(\.attendeeID) == [ben.text])
      #expect(kept?.signals.map(\.attendeeID) == [ben.text])
    }
  }

  @Test(arguments: [false, true])
  func `a mute replaces an attendee's volume, and an unmute does not restore the volume`(
    isByOperator: Bool
  ) async throws {
    try await withOwner(PresenceServiceConnector.init) { _, part, _ in
      let (ada, ben) = (AttendeeID.random(), AttendeeID.random())
      let hub = part.follower.hub(of: .random())
      hub.follower.reset(epoch: 7, sequence: 4)
      let levels = V1.LevelsChanged(
        epoch: 7, tick: 1,
        volumes: [ada, ben].map { .init(attendeeID: $0.text, level: .high) })
      hub.deliver(
        V1.EventHeader(epoch: 7, tick: 1),
        V1.SessionEvents(events: [.init(event: .levelsChanged(levels))]).packed())
      func volumes(afterMute isMuted: Bool, _ sequence: UInt64) -> [String: V1.VolumeLevel] {
        let change = V1.MuteChange(
          attendeeID: ada.text, isMuted: isMuted && !isByOperator,
          isMutedByOperator: isMuted && isByOperator)
        hub.deliver(
          V1.EventHeader(epoch: 7, sequence: sequence),
          V1.SessionEvents(events: [.init(event: .muteChanged(.init(changes: [change])))]).packed()
        )
        let kept = part.levels[hub.meeting]?.all(epoch: 7).volumes ?? []
        return Dictionary(uniqueKeysWithValues: kept.map { ($0.attendeeID, $0.level) })
      }
      let before = part.levels[hub.meeting]?.edition
      #expect(volumes(afterMute: true, 5) == [ada.text: .muted, ben.text: .high])
      #expect(part.levels[hub.meeting]?.edition != before)
      #expect(volumes(afterMute: false, 6) == [ada.text: .notSpeaking, ben.text: .high])
    }
  }

  @Test func `an operator's demotion is retried while presence starts`() async throws {
    try await withOwner(PresenceServiceConnector.init) { _, part, server in
      var asked: [V1.DemoteAttendeeRequest] = []
      server.on(V1.PresenceMethods.demoteAttendee) { request, call in
        asked.append(request)
        if asked.count == 1 {
          call.fail(Status(.unavailable, "Presence has just started."))
        } else {
          call.reply(V1.DemoteAttendeeReply(wasPromoted: true))
        }
      }
      let (paul, meeting) = (AttendeeID.random(), MeetingID.random())
      let wasPromoted = try await part.demote(paul, in: meeting)
      #expect(wasPromoted)
      let request = V1.DemoteAttendeeRequest(meetingID: meeting.text, attendeeID: paul.text)
      #expect(asked == [request, request])
    }
  }

  @Test func `a mute is sent again if an announcement contains the state before the mute`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let told = AwaitableEntryList<String>()
      var held: [Call<V1.SetMutedReply>] = []
      server.on(V1.PresenceMethods.setMuted) { request, call in
        let isAnnounced = told.entries.contains { $0.hasPrefix("announced") }
        told.append("muted")
        if isAnnounced { call.reply(V1.SetMutedReply(isMuted: true)) } else { held.append(call) }
      }
      // The store knows none of the attendees that the fixture makes.
      server.on(V1.PresenceMethods.endAttendee) { _, call in call.reply(V1.EndAttendeeReply()) }
      server.on(V1.PresenceMethods.announce) { request, call in
        told.append("announced, \(request.sessions.map(\.isMuted))")
        call.reply(V1.AnnounceReply())
        for mute in held { mute.reply(V1.SetMutedReply(isMuted: true)) }
      }
      let session = try await fixture.session(LocalLink())
      let owner = try #require(part.follower.owner(of: session.meeting))
      let muting = Task {
        _ = fixture  // The test runs on the fixture's thread.
        return try await part.setMuted(true, of: session, traceparent: "").isMuted
      }
      try await told.wait(for: "a call") { !$0.isEmpty }
      try await part.announce(to: owner)
      #expect(try await muting.value)
      #expect(told.entries.suffix(2) == ["announced, [false]", "muted"])
      #expect(session.record.isMuted)
    }
  }

  @Test func `a host's mute is recorded once and lasts until the client changes it`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      server.serve(Self.roster)
      server.on(V1.PresenceMethods.setMuted) { request, call in
        call.reply(V1.SetMutedReply(isMuted: request.isMuted))
      }
      var silenced: [SessionNumber] = []
      fixture.coordinator.onHostMute = { silenced.append($0.number) }
      let session = try await fixture.session(LocalLink())
      let hub = part.follower.hub(of: session.meeting)
      hub.add(session)
      func hear(_ isMuted: Bool, byOperator: Bool = false) {
        part.learnMutes(
          in: Self.muteEvents(isMuted, byOperator: byOperator, of: session), of: hub)
      }
      hear(true, byOperator: true)
      hear(false)
      #expect(!session.isMutedByHost)
      #expect(silenced.isEmpty)
      hear(true)
      hear(true)
      #expect(session.isMutedByHost && session.record.isMuted)
      #expect(silenced == [session.number])
      _ = try await part.setMuted(false, of: session, traceparent: "")
      #expect(!session.isMutedByHost && !session.record.isMuted)
      _ = try await part.setMuted(true, of: session, traceparent: "")
      hear(true)
      #expect(!session.isMutedByHost)
    }
  }

  /// A host mutes the client before or after presence unmutes the client at the client's request.
  @Test(arguments: [[true, false], [false, true]])
  func `of a host's mute and an unmute, the event that is reported last takes effect`(
    reported: [Bool]
  ) async throws {
    for isBeforeAnswer in [true, false] {
      try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
        server.serve(Self.roster)
        let session = try await fixture.session(LocalLink())
        session.record.isMuted = true
        let hub = part.follower.hub(of: session.meeting)
        hub.add(session)
        func hear() {
          for isMuted in reported {
            part.learnMutes(in: Self.muteEvents(isMuted, of: session), of: hub)
          }
        }
        server.on(V1.PresenceMethods.setMuted) { request, call in
          if isBeforeAnswer { hear() }
          call.reply(V1.SetMutedReply(isMuted: request.isMuted))
        }
        _ = try await part.setMuted(false, of: session, traceparent: "")
        if !isBeforeAnswer { hear() }
        #expect(session.record.isMuted == reported.last)
        #expect(session.isMutedByHost == reported.last)
      }
    }
  }

  private static func muteEvents(
    _ isMuted: Bool, byOperator: Bool = false, of session: GatewayClientSession
  ) -> [UInt8] {
    let change = V1.MuteChange(
      attendeeID: session.participant.text, isMuted: isMuted, isMutedByOperator: byOperator)
    return V1.SessionEvents(events: [.init(event: .muteChanged(.init(changes: [change])))]).packed()
  }

  @Test func `a client gets the roster if presence no longer keeps the events the client missed`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      server.serve(Self.roster, wasPresent: true)
      server.on(V1.PresenceMethods.replay) { _, call in
        call.reply(V1.ReplayReply(outcome: .snapshot(Self.roster)))
      }
      let link = LocalLink()
      let session = try fixture.arriving(
        at: part, link, resuming: .random(), after: [.roster: StreamCursor(epoch: 6, sequence: 2)])
      try await part.takeIn(session).give()
      _ = link.flush()
      #expect(link.events == [.rosterSnapshot(Self.roster)])
      #expect(session.opening?.isRecovered == false)
    }
  }

  @Test func `a slow client gets no levels until its link is no longer congested`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      server.serve(Self.roster)
      let link = LocalLink()
      let session = try fixture.arriving(at: part, link)
      try await part.takeIn(session).give()
      let hub = part.follower.hub(of: session.meeting)
      hub.add(session)
      _ = link.flush()

      link.isCongested = true
      for (tick, level) in [(UInt64(10), V1.VolumeLevel.low), (11, .high)] {
        let change = V1.LevelsChanged(
          epoch: 7, tick: tick, volumes: [.init(attendeeID: "ben", level: level)])
        hub.deliver(
          V1.EventHeader(epoch: 7, tick: tick),
          V1.SessionEvents(events: [V1.SessionEvent(event: .levelsChanged(change))]).packed())
      }
      part.refreshLevels(of: session)
      _ = link.flush()
      #expect(link.events.count == 1)
      #expect(fixture.context.metrics.levelsSpared.value == 2)

      link.isCongested = false
      part.refreshLevels(of: session)
      part.refreshLevels(of: session)
      _ = link.flush()
      let caughtUp = V1.LevelsChanged(
        epoch: 7, tick: 11, volumes: [.init(attendeeID: "ben", level: .high)])
      #expect(link.events.dropFirst() == [.levelsChanged(caughtUp)])
    }
  }

  @Test
  func `an event ends the sessions that it names, and the end of a meeting ends all its sessions`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, _ in
      var ended: [(SessionID, Status?)] = []
      let end = fixture.coordinator.onEnd
      fixture.coordinator.onEnd = { session, status, ending in
        ended.append((session.id, status))
        end(session, status, ending)
      }
      let meeting = try Meeting.sample()
      let sessions = [
        try await fixture.session(LocalLink(), in: meeting),
        try await fixture.session(LocalLink(), in: meeting),
        try await fixture.session(LocalLink(), in: meeting),
      ]
      let hub = part.follower.hub(of: meeting.id)
      for session in sessions { hub.add(session) }
      let kicked = Status(.failedPrecondition, "Removed.", session: .audioServerHungup)
      hub.deliver(
        V1.EventHeader(
          epoch: 1, sequence: 1,
          ended: [
            V1.EndedSession(sessionID: sessions[1].id.bytes, status: V1.Status(kicked)),
            V1.EndedSession(sessionID: [1, 2], status: V1.Status(kicked)),
            V1.EndedSession(sessionID: SessionID.random().bytes, status: V1.Status(kicked)),
          ]), [])
      #expect(ended.map(\.0) == [sessions[1].id])
      #expect(ended.map(\.1) == [kicked])
      hub.remove(sessions[1])

      let over = Status(.failedPrecondition, "Over.", session: .audioCallEnded)
      hub.deliver(V1.EventHeader(epoch: 1, sequence: 2, meetingEnded: V1.Status(over)), [])
      #expect(Set(ended.dropFirst().map(\.0)) == [sessions[0].id, sessions[2].id])
      #expect(fixture.context.sessions.count == 0)
    }
  }

  @Test
  func `the gateway closes a session that presence ends before presence answers the join`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let kicked = Status(.failedPrecondition, "Removed.", session: .audioServerHungup)
      let link = LocalLink()
      let session = try fixture.arriving(at: part, link)
      let hub = part.follower.hub(of: session.meeting)
      server.on(V1.PresenceMethods.join) { _, call in
        // Events and answers use different connections.
        let ended = V1.EndedSession(sessionID: session.id.bytes, status: V1.Status(kicked))
        hub.follower.arrive(V1.EventHeader(epoch: 7, sequence: 5, ended: [ended]), [])
        call.reply(V1.JoinReply(roster: Self.roster.position, term: 3))
      }
      server.on(V1.PresenceMethods.snapshot) { _, call in
        call.reply(V1.RosterSnapshot(epoch: 7, sequence: 5))
      }
      _ = try? await part.takeIn(session)
      #expect(fixture.context.sessions[session.number] == nil)
      #expect(link.ends == [kicked])
    }
  }

  @Test func `the end of a meeting also ends sessions that are still joining`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, _ in
      var meetings: [MeetingID] = []
      fixture.coordinator.onMeetingEnded = { meeting, _ in meetings.append(meeting) }
      let link = LocalLink()
      let session = try fixture.arriving(at: part, link)
      let over = Status(.failedPrecondition, "Over.", session: .audioCallEnded)
      part.follower.hub(of: session.meeting).deliver(
        V1.EventHeader(epoch: 1, sequence: 1, meetingEnded: V1.Status(over)), [])
      #expect(link.ends == [over] && meetings == [session.meeting])
    }
  }

  @Test func `the gateway reports deleted attendees to presence before it announces the sessions`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let told = AwaitableEntryList<String>()
      server.on(V1.PresenceMethods.endAttendee) { request, call in
        told.append("deleted " + request.attendeeID)
        call.reply(V1.EndAttendeeReply())
      }
      let status = Status(.notFound, "Deleted.", session: .audioServerHungup)
      server.on(V1.PresenceMethods.announce) { request, call in
        told.append("announced")
        let refused = request.sessions.map {
          V1.RefusedSession(sessionID: $0.sessionID, status: V1.Status(status))
        }
        let ids = request.sessions.map(\.sessionID)
        call.reply(V1.AnnounceReply(unknownSessions: ids, refused: refused))
      }
      // The store knows none of the attendees that the fixture makes.
      let link = LocalLink()
      let session = try await fixture.session(link)
      let owner = try #require(part.follower.owner(of: session.meeting))
      try await part.announce(to: owner)
      #expect(told.entries == ["deleted " + session.record.participantID, "announced"])
      #expect(link.ends == [status])
    }
  }

  @Test func `in a new term of presence, a session that is still joining sends its join again`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      server.on(V1.PresenceMethods.announce) { _, call in call.reply(V1.AnnounceReply()) }
      var lacking: [SessionNumber] = []
      fixture.coordinator.onLack = { session, _ in lacking.append(session) }
      let session = try fixture.arriving(at: part, LocalLink())
      let owner = try #require(part.follower.owner(of: session.meeting))
      try await part.announce(to: owner)
      #expect(lacking == [session.number])
    }
  }

  @Test func `the loss of a client is reported until presence answers, unless the client returns`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let told = AwaitableEntryList<[UInt8]>()
      server.on(V1.PresenceMethods.detach) { request, call in
        told.append(request.sessionID)
        // The gateway repeats the notice after this first answer.
        guard told.entries.count > 1 else { return call.fail(Status(.unavailable, "Not now.")) }
        call.reply(V1.DetachReply())
      }
      let back = try await fixture.session(LocalLink())
      part.detach(back)  // The session is still present, so the connector notifies no owner.
      let gone = try await fixture.session(LocalLink())
      fixture.keeper.detach(gone, because: nil)
      part.detach(gone)
      let heard = try await told.wait(for: "two Detach") { $0.count == 2 }
      #expect(heard == [gone.id.bytes, gone.id.bytes])
    }
  }

  @Test func `only clients that leave or lose their connection are reported to presence`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let told = AwaitableEntryList<String>()
      server.on(V1.PresenceMethods.leave) { _, call in
        told.append("leave")
        call.reply(V1.LeaveReply())
      }
      server.on(V1.PresenceMethods.detach) { _, call in
        told.append("detach")
        call.reply(V1.DetachReply())
      }
      for ending in [SessionEndInitiator.byPresence, .withMeeting, .byClient, .cutOff] {
        let session = try await fixture.session(LocalLink())
        fixture.keeper.end(session, nil, .withMeeting)
        part.release(session, ending)
      }
      try await told.wait(for: "both") { Set($0) == ["leave", "detach"] }
    }
  }
}
