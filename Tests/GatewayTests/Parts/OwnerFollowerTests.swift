import Bus
import MeetingModel
import ServiceHost
import TestSupport
import Trials
import Testing
import Wire

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct OwnerFollowerTests {
  @Test func `a new instance gets the sessions and is asked for its limits`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let announced = AwaitableEntryList<String>()
      fixture.coordinator.onAnnounce = { _, instance in announced.append(instance) }
      let limits = AwaitableEntryList<Bool>()
      server.on(V1.PresenceMethods.getLimits) { _, call in
        call.reply(V1.Limits(maxAttendees: 250))
        limits.append(true)
      }
      server.on(V1.PresenceMethods.gatewayAlive) { request, call in
        #expect(request.gateway == "gateway-a")
        #expect(request.gatewayRun == fixture.context.run)
        call.reply(V1.GatewayAliveReply(term: 4))
      }
      part.follower.tick()
      _ = try await announced.wait(for: "the announcement") { $0.contains("presence-a") }
      _ = try await limits.wait(for: "the limits") { !$0.isEmpty }
      try await eventually("the limits") { part.follower.limits?.maxAttendees == 250 }
      #expect(part.follower.owner(of: .random())?.term == 4)
    }
  }

  @Test func `an instance that asks for an announcement gets the sessions again`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let announced = AwaitableEntryList<String>()
      fixture.coordinator.onAnnounce = { _, instance in announced.append(instance) }
      server.on(V1.PresenceMethods.getLimits) { _, call in call.reply(V1.Limits()) }
      server.on(V1.PresenceMethods.gatewayAlive) { _, call in
        call.reply(V1.GatewayAliveReply(term: 4, wantsAnnouncement: true))
      }
      part.follower.tick()
      _ = try await announced.wait(for: "an announcement") { !$0.isEmpty }
      let before = announced.entries.count
      part.follower.tick()
      _ = try await announced.wait(for: "another announcement") { $0.count > before }
    }
  }

  @Test func `the gateway answers media's numbered request once, with the number of the request`()
    async throws
  {
    try await withOwner(MediaServiceConnector.init) { fixture, part, server in
      let announced = AwaitableEntryList<String>()
      fixture.coordinator.onAnnounce = { _, instance in announced.append(instance) }
      server.on(V1.MediaMethods.getLimits) { _, call in call.reply(V1.Limits()) }
      let echoed = AwaitableEntryList<UInt64>()
      var wanted: UInt64 = 1
      server.on(V1.MediaMethods.gatewayAlive) { request, call in
        echoed.append(request.announcement)
        call.reply(
          V1.GatewayAliveReply(
            term: 4, wantsAnnouncement: wanted != request.announcement, announcement: wanted))
      }
      func sayAlive() async throws {
        let before = echoed.entries.count
        part.follower.tick()
        _ = try await echoed.wait(for: "a sign of life") { $0.count > before }
      }
      // The request with number 1 belongs to a new term. The follower announces its sessions to
      // every new term without a request, so this request has no effect.
      for _ in 0..<3 { try await sayAlive() }
      #expect(announced.entries.count == 1)
      wanted = 2
      for _ in 0..<4 { try await sayAlive() }
      #expect(announced.entries.count == 2)
      #expect(echoed.entries.first == 0 && echoed.entries.last == 2)
    }
  }

  @Test func `a catch-up requests the events after the stream's position`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      server.on(V1.PresenceMethods.replay) { request, call in
        #expect(request.epoch == 1)
        let missed = (request.afterSequence + 1...3).map { V1.PackedEvent.numbered($0, epoch: 1) }
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: missed))))
      }
      let (link, session, hub) = try await Self.member(fixture, part)
      hub.follower.catchUp()
      try await eventually("the events") {
        _ = link.flush()
        return link.numbers == ["1", "2", "3"]
      }
      #expect(session.cursors[.roster] == StreamCursor(epoch: 1, sequence: 3))
    }
  }

  @Test func `every client gets a snapshot in place of events that presence no longer keeps`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      server.on(V1.PresenceMethods.replay) { _, call in
        call.reply(V1.ReplayReply(outcome: .snapshot(V1.RosterSnapshot(epoch: 2, sequence: 9))))
      }
      let announced = AwaitableEntryList<String>()
      fixture.coordinator.onAnnounce = { _, instance in announced.append(instance) }
      let (link, session, hub) = try await Self.member(fixture, part)
      hub.follower.catchUp()
      try await eventually("the roster") {
        _ = link.flush()
        return link.names.last == "rosterSnapshot"
      }
      // One of the missed events may have ended a session of this gateway, even if the events now
      // have a new numbering.
      _ = try await announced.wait(for: "an announcement") { $0 == ["presence-a"] }
      #expect(session.cursors[.roster] == StreamCursor(epoch: 2, sequence: 9))
      #expect(hub.follower.cursor == StreamCursor(epoch: 2, sequence: 9))
    }
  }

  @Test func `a late answer of a former owner does not reset the stream of the new owner`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let asked = AwaitableEntryList<V1.ReplayRequest>()
      var late: Call<V1.ReplayReply>?
      server.on(V1.PresenceMethods.replay) { request, call in
        late = call
        asked.append(request)
      }
      server.on(V1.PresenceMethods.snapshot) { _, call in call.reply(V1.RosterSnapshot()) }
      let both = OwningInstances(of: ["presence-a", "presence-b"])
      var meeting = try Meeting.sample()
      while both.owner(of: meeting.id) == "presence-a" { meeting = try Meeting.sample() }
      let (link, _, hub) = try await Self.member(fixture, part, in: meeting)
      let former = try #require(part.follower.owner(of: meeting.id))
      hub.follower.catchUp()
      try await asked.wait(for: "a request") { !$0.isEmpty }

      let registry = RuntimeDirectoryRegistry(runtimeDirectory: fixture.directory)
      let rival = try registry.register(
        InstanceAnnouncement(
          service: "presence", instance: "presence-b",
          endpoints: [
            "rpc": "ipc://\(fixture.directory)/b.r.sock",
            "events": "ipc://\(fixture.directory)/b.e.sock",
          ]))
      defer { rival.withdraw() }
      try rival.heartbeat()
      try part.following.refresh(with: registry.instances(of: "presence"))
      #expect(part.follower.owner(of: meeting.id)?.instance == "presence-b")
      late?.reply(V1.ReplayReply(outcome: .snapshot(V1.RosterSnapshot(epoch: 2, sequence: 9))))
      // The server sends its next answer after the late reply, so the late reply has now arrived.
      _ = try await former.client.snapshot(V1.SnapshotRequest(), options: CallOptions())
      _ = link.flush()
      #expect(link.names == ["sessionStarted"])
      #expect(hub.follower.cursor == StreamCursor(epoch: 1, sequence: 0))
    }
  }

  @Test func `an owner that does not know a meeting gets the meeting's sessions`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let announced = AwaitableEntryList<String>()
      fixture.coordinator.onAnnounce = { _, instance in announced.append(instance) }
      server.on(V1.PresenceMethods.replay) { _, call in
        call.fail(Status(.notFound, "No such meeting here."))
      }
      let (_, _, hub) = try await Self.member(fixture, part)
      hub.follower.catchUp()
      _ = try await announced.wait(for: "an announcement") { !$0.isEmpty }
    }
  }

  @Test func `an unreachable owner is asked again until it answers`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      var calls = 0
      server.on(V1.PresenceMethods.replay) { _, call in
        calls += 1
        guard calls > 2 else { return call.fail(Status(.unavailable, "Not now.")) }
        let missed = [V1.PackedEvent.numbered(1, epoch: 1)]
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: missed))))
      }
      let (link, _, hub) = try await Self.member(fixture, part)
      hub.follower.catchUp()
      try await eventually("the event") {
        _ = link.flush()
        return link.numbers == ["1"]
      }
      #expect(calls == 3)
    }
  }

  @Test func `a meeting is followed while a local session needs it`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, _ in
      let (_, session, hub) = try await Self.member(fixture, part)
      part.follower.forgetIfUnused(session.meeting)
      #expect(part.follower.knownHub(of: session.meeting) === hub)
      hub.remove(session)
      part.follower.forgetIfUnused(session.meeting)
      #expect(part.follower.knownHub(of: session.meeting) == nil)
    }
  }

  /// Returns a client at the start of its meeting's roster stream.
  private static func member(
    _ fixture: isolated KeeperFixture, _ part: PresenceServiceConnector, in meeting: Meeting? = nil
  ) async throws -> (LocalLink, GatewayClientSession, StreamHub) {
    let link = LocalLink()
    let session = try await fixture.session(link, in: meeting)
    let hub = part.follower.hub(of: session.meeting)
    hub.add(session)
    hub.place(session, at: StreamCursor(epoch: 1, sequence: 0))
    return (link, session, hub)
  }
}
