import Bus
import MeetingModel
import Storage
import TestSupport
import Testing
import Trials
import Wire
import ZeroMQ

@testable import Gateway

@Suite(.timeLimit(.minutes(5))) struct AttendanceRecorderTests {
  private let ada = AttendeeID.random()
  private let ben = AttendeeID.random()

  private func info(_ attendee: AttendeeID) -> V1.AttendeeInfo {
    V1.AttendeeInfo(
      attendeeID: attendee.text, externalUserID: attendee == ada ? "ada" : "ben")
  }

  private func header(_ sequence: UInt64, epoch: UInt64 = 7) -> V1.EventHeader {
    V1.EventHeader(epoch: epoch, sequence: sequence)
  }

  private func came(_ attendee: AttendeeID, at time: UInt64) -> [UInt8] {
    body(V1.PresenceChange(attendee: info(attendee), state: .joined, joinedAtMs: time))
  }

  private func dropped(_ attendee: AttendeeID, at time: UInt64) -> [UInt8] {
    body(
      V1.PresenceChange(
        attendee: info(attendee), state: .dropped, reason: .connectionLost, departedAtMs: time))
  }

  private func body(_ change: V1.PresenceChange) -> [UInt8] {
    V1.SessionEvents(
      events: [V1.SessionEvent(event: .presenceChanged(V1.PresenceChanged(changes: [change])))]
    ).packed()
  }

  private func makeMeeting(_ store: MeetingStore) async throws -> MeetingID {
    try await store.createMeeting(
      MeetingRequest(
        token: ClientRequestToken("token"), fingerprint: RequestFingerprint(of: []),
        externalID: ExternalMeetingID("standup"), region: MediaRegion("eu-central-1"),
        placementBase: "http://127.0.0.1:8080"), at: 1
    ).meeting.id
  }

  private func stays(_ store: MeetingStore, in meeting: MeetingID) async throws -> [String] {
    try await store.attendance(of: meeting, limit: 100).elements.map { session in
      let end = session.left.map { "\($0.at) \($0.reason.rawValue)" } ?? "now"
      return "\(session.externalUserID.text) \(session.joinedAt) \(end)"
    }
  }

  @Test func `the recorder stores all collected changes together`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, _ in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      let recorder = part.recorder
      recorder.note(header(1), came(ada, at: 10), of: meeting)
      recorder.note(header(2), came(ben, at: 20), of: meeting)
      recorder.note(header(3), dropped(ada, at: 30), of: meeting)
      #expect(try await stays(store, in: meeting).isEmpty)
      await recorder.store()
      #expect(
        try await stays(store, in: meeting) == ["ada 10 30 ConnectionLost", "ben 20 now"])
      // The recorder stores no event a second time.
      await recorder.store()
      #expect(try await stays(store, in: meeting).count == 2)
    }
  }

  @Test func `the recorder asks presence for missing events that precede the first event`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      var asked: [V1.ReplayRequest] = []
      server.on(V1.PresenceMethods.replay) { request, call in
        asked.append(request)
        let missed = [
          V1.PackedEvent(header: header(1), body: came(ada, at: 10)),
          V1.PackedEvent(header: header(2), body: dropped(ada, at: 20)),
          V1.PackedEvent(header: header(3), body: came(ada, at: 30)),
        ]
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: missed))))
      }
      part.recorder.note(header(3), came(ada, at: 30), of: meeting)
      await part.recorder.store()
      #expect(
        asked == [
          V1.ReplayRequest(
            meetingID: meeting.text, epoch: 0, afterSequence: 0, includesAudience: true)
        ])
      #expect(
        try await stays(store, in: meeting) == ["ada 10 20 ConnectionLost", "ada 30 now"])
    }
  }

  @Test func `the recorder asks presence for events that are missing between two events`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      server.on(V1.PresenceMethods.replay) { request, call in
        #expect((request.epoch, request.afterSequence) == (0, 0))
        call.reply(
          V1.ReplayReply(
            outcome: .events(
              V1.ReplayedEvents(
                events: [
                  V1.PackedEvent(header: header(1), body: came(ada, at: 10)),
                  V1.PackedEvent(header: header(2), body: dropped(ada, at: 20)),
                  V1.PackedEvent(header: header(3), body: came(ben, at: 30)),
                ]))))
      }
      part.recorder.note(header(1), came(ada, at: 10), of: meeting)
      part.recorder.note(header(3), came(ben, at: 30), of: meeting)
      await part.recorder.store()
      #expect(
        try await stays(store, in: meeting) == ["ada 10 20 ConnectionLost", "ben 30 now"])
    }
  }

  @Test func `a repeated event is recorded once`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, _ in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      part.recorder.note(header(1), came(ada, at: 10), of: meeting)
      part.recorder.note(header(2), dropped(ada, at: 20), of: meeting)
      part.recorder.note(header(1), came(ada, at: 10), of: meeting)
      await part.recorder.store()
      #expect(try await stays(store, in: meeting) == ["ada 10 20 ConnectionLost"])
    }
  }

  @Test func `a whole roster replaces the record of who is present`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, _ in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      part.recorder.note(header(1), came(ada, at: 10), of: meeting)
      await part.recorder.store()
      part.recorder.take(
        V1.RosterSnapshot(
          epoch: 9, sequence: 4, entries: [V1.RosterEntry(attendee: info(ben), joinedAtMs: 15)]),
        of: meeting)
      await part.recorder.store()
      let found = try await stays(store, in: meeting)
      #expect(found.count == 2)
      #expect(found.first?.hasSuffix("Unknown") == true)
      #expect(found.last == "ben 15 now")
      #expect(try await store.rosterPlace(of: meeting) == RosterPosition(epoch: 9, sequence: 4))
    }
  }

  @Test
  func `the recorder stores attendances that ended before the recorder asked presence`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      part.recorder.note(header(1), came(ada, at: 10), of: meeting)
      part.recorder.note(header(2), dropped(ada, at: 20), of: meeting)
      await part.recorder.store()
      // After these events, presence has restarted, and Ben has joined and left.
      server.on(V1.PresenceMethods.replay) { request, call in
        guard request.epoch == 9 else {
          let state = V1.RosterSnapshot(epoch: 9, sequence: 2)
          return call.reply(V1.ReplayReply(outcome: .snapshot(state)))
        }
        #expect(request.afterSequence == 0)
        let all = [
          V1.PackedEvent(header: header(1, epoch: 9), body: came(ben, at: 30)),
          V1.PackedEvent(header: header(2, epoch: 9), body: dropped(ben, at: 40)),
        ]
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: all))))
      }
      part.recorder.lack(meeting)
      await part.recorder.store()
      #expect(
        try await stays(store, in: meeting)
          == ["ada 10 20 ConnectionLost", "ben 30 40 ConnectionLost"])
      #expect(try await store.rosterPlace(of: meeting) == RosterPosition(epoch: 9, sequence: 2))
    }
  }

  @Test
  func `the gateway asks unreachable presence again, even about a meeting that it does not follow`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      var isAway = true
      server.on(V1.PresenceMethods.replay) { _, call in
        guard !isAway else { return call.fail(Status(.unavailable, "It restarts.")) }
        let all = [
          V1.PackedEvent(header: header(1), body: came(ada, at: 10)),
          V1.PackedEvent(header: header(2), body: dropped(ada, at: 20)),
        ]
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: all))))
      }
      part.recorder.lack(meeting)
      await part.recorder.store()
      #expect(try await stays(store, in: meeting).isEmpty)
      isAway = false
      await part.recorder.store()
      #expect(try await stays(store, in: meeting) == ["ada 10 20 ConnectionLost"])
    }
  }

  @Test func `no meeting is forgotten before its record is complete`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      server.on(V1.PresenceMethods.replay) { _, call in
        let all = [V1.PackedEvent(header: header(1), body: came(ada, at: 10))]
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: all))))
      }
      part.recorder.lack(meeting)
      for _ in 0..<20_000 { part.recorder.lack(MeetingID.random()) }
      await part.recorder.store()
      #expect(try await stays(store, in: meeting) == ["ada 10 now"])
    }
  }

  @Test
  func `a gateway records an unattended meeting even if the gateway does not follow the meeting`()
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      server.on(V1.PresenceMethods.getLimits) { _, call in call.reply(V1.Limits()) }
      server.on(V1.PresenceMethods.replay) { _, call in
        let all = [
          V1.PackedEvent(header: header(1), body: came(ada, at: 10)),
          V1.PackedEvent(header: header(2), body: dropped(ada, at: 20)),
        ]
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: all))))
      }
      let due = AwaitableEntryList<Bool>()
      fixture.coordinator.onRecord = { due.append(true) }
      let publisher = try EventPublisher(
        at: .ipc(fixture.directory + "/e.sock"), instance: "presence-a", term: 1,
        in: fixture.sockets, on: fixture.thread)
      defer { publisher.close() }
      try await eventually("a beacon") { part.follower.isHeard }
      let stream = publisher.beginStream(
        of: meeting, name: "roster", topic: .roster(of: meeting), epoch: 7)
      stream.publish(nil)
      #expect(due.entries.isEmpty)
      stream.publish(nil)
      stream.isUnattended = true
      _ = try await due.wait(for: "the record to be due") { !$0.isEmpty }
      #expect(part.follower.knownHub(of: meeting) == nil)
      await part.recorder.store()
      #expect(try await stays(store, in: meeting) == ["ada 10 20 ConnectionLost"])
    }
  }

  @Test(arguments: 1...12)
  func `the record equals presence's own log after any failures`(seed: UInt64)
    async throws
  {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, server in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      var model = PresenceLog(seed: seed)
      server.on(V1.PresenceMethods.replay) { request, call in call.reply(model.replay(request)) }
      var recorder = part.recorder
      var isFollowed = false
      for _ in 0..<60 {
        switch Int.random(in: 0..<12, using: &model.random) {
        case 0: await recorder.store()
        case 1:
          // A gateway fails and loses its unstored events. Another gateway replaces the failed
          // gateway.
          recorder = AttendanceRecorder(of: part, in: fixture.context)
          isFollowed = false
        case 2:
          // Presence restarts. A restart loses the events that no gateway has requested, so the
          // recorder requests all events first.
          await recorder.complete([meeting])
          model.restart()
          recorder.lack(meeting)
        case 3...5:
          if !isFollowed { recorder.lack(meeting) }
          isFollowed.toggle()
        default:
          let event = model.step()
          if isFollowed, let header = event.header {
            recorder.note(header, event.body, of: meeting)
          }
          if model.present.isEmpty { recorder.isUnattended(meeting, at: model.cursor) }
        }
      }
      // Either the model deletes the meeting while attendees may be present, or all attendees
      // leave.
      if Bool.random(using: &model.random) {
        await recorder.complete([meeting])
        _ = try await store.endMeeting(meeting, because: .deleted, at: Int64(model.now))
        model.end()
      } else {
        while !model.present.isEmpty { _ = model.step(mayJoin: false) }
        recorder.isUnattended(meeting, at: model.cursor)
        await recorder.store()
      }
      #expect(try await stays(store, in: meeting).sorted() == model.stays.sorted())
    }
  }

  @Test func `unreadable events are left out`() async throws {
    try await withOwner(PresenceServiceConnector.init) { fixture, part, _ in
      let store = fixture.context.store
      let meeting = try await makeMeeting(store)
      part.recorder.note(header(1), [0xFF, 0xFF, 0xFF], of: meeting)
      part.recorder.note(header(2), body(V1.PresenceChange(state: .joined)), of: meeting)
      part.recorder.note(header(3), came(ada, at: 10), of: meeting)
      await part.recorder.store()
      #expect(try await stays(store, in: meeting) == ["ada 10 now"])
    }
  }
}

/// Presence's state of one meeting: its attendees, its events in the current numbering, and the
/// expected record of each stay.
private struct PresenceLog {
  var random: SeededGenerator
  private(set) var now: UInt64 = 100
  private(set) var present: [Stay] = []
  private(set) var stays: [String] = []
  private var epoch: UInt64 = 1
  private var events: [V1.PackedEvent] = []
  private var names = 0

  struct Stay {
    let who: V1.AttendeeInfo
    let since: UInt64
  }

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  var cursor: StreamCursor { StreamCursor(epoch: epoch, sequence: UInt64(events.count)) }

  /// Lets an attendee join or leave.
  mutating func step(mayJoin: Bool = true) -> V1.PackedEvent {
    now += 10
    if present.isEmpty || (mayJoin && Bool.random(using: &random)) {
      names += 1
      let who = V1.AttendeeInfo(
        attendeeID: AttendeeID.random().text, externalUserID: "name-\(names)")
      present.append(Stay(who: who, since: now))
      return publish(V1.PresenceChange(attendee: who, state: .joined, joinedAtMs: now))
    }
    let stay = present.remove(at: Int.random(in: 0..<present.count, using: &random))
    let isDrop = Bool.random(using: &random)
    end(stay, as: isDrop ? "ConnectionLost" : "Client")
    return publish(
      V1.PresenceChange(
        attendee: stay.who, state: isDrop ? .dropped : .left,
        reason: isDrop ? .connectionLost : .client, departedAtMs: now))
  }

  /// Starts a new numbering of the events, and reports the present attendees again.
  mutating func restart() {
    epoch += 1
    events = []
    for stay in present {
      _ = publish(
        V1.PresenceChange(attendee: stay.who, state: .joined, joinedAtMs: stay.since))
    }
  }

  /// Ends the meeting for all present attendees.
  mutating func end() {
    for stay in present { end(stay, as: "MeetingEnded") }
    present = []
  }

  private mutating func end(_ stay: Stay, as reason: String) {
    stays.append("\(stay.who.externalUserID) \(stay.since) \(now) \(reason)")
  }

  private mutating func publish(_ change: V1.PresenceChange) -> V1.PackedEvent {
    let body = V1.SessionEvents(
      events: [V1.SessionEvent(event: .presenceChanged(V1.PresenceChanged(changes: [change])))])
    let header = V1.EventHeader(epoch: epoch, sequence: UInt64(events.count + 1))
    events.append(V1.PackedEvent(header: header, body: body.packed()))
    return events[events.count - 1]
  }

  func replay(_ request: V1.ReplayRequest) -> V1.ReplayReply {
    guard request.epoch == epoch || (request.epoch == 0 && request.afterSequence == 0) else {
      let entries = present.map { V1.RosterEntry(attendee: $0.who, joinedAtMs: $0.since) }
      return V1.ReplayReply(
        outcome: .snapshot(
          V1.RosterSnapshot(epoch: epoch, sequence: UInt64(events.count), entries: entries)))
    }
    let missed = Array(events.dropFirst(Int(request.afterSequence)))
    return V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: missed)))
  }
}
