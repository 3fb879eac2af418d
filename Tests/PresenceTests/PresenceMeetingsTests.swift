import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@testable import Presence

@Suite struct PresenceMeetingsTests {
  let clock = Clock()
  let rules = PresenceRules()

  private func settled() -> PresenceMeetings {
    var meetings = PresenceMeetings(rules: rules, at: clock[.zero])
    meetings.expect([], at: clock[.zero])
    return meetings
  }

  @discardableResult
  private func join(
    _ person: Person, _ meetings: inout PresenceMeetings, _ meeting: MeetingID = .planning,
    through gateway: GatewayName = .a, run: UInt64 = 1, as arrival: SessionArrival = .start,
    after elapsed: Duration = .zero, kind: RosterKind = .ordinary
  ) throws(PresenceError) -> Bool {
    try meetings.join(
      person.description(kind: kind), in: meeting, through: gateway, run: run, as: arrival,
      at: clock[elapsed])
  }

  private func departures(of meetings: inout PresenceMeetings) -> [PresenceReason] {
    meetings.takeEffects().flatMap { effect -> [PresenceReason] in
      guard case .decided(.publish(let event), _) = effect, event.onlyFor == nil else { return [] }
      return event.updates.flatMap { update -> [PresenceReason] in
        guard case .presence(let changes) = update else { return [] }
        return changes.compactMap {
          if case .departed(_, let departure) = $0 { departure } else { nil }
        }
      }
    }
  }

  private func isAsked(
    _ meetings: inout PresenceMeetings, _ gateway: GatewayName, run: UInt64,
    at now: ContinuousClock.Instant
  ) -> Bool {
    meetings.gatewayIsAlive(gateway, run: run, at: now)
  }

  @Test func `effects are returned once and name their meeting`() throws {
    var meetings = settled()
    try join(.ada, &meetings, .planning)
    try join(.ada, &meetings, .review)
    let joined = RosterEvent(updates: [.presence([.joined(Person.ada.entry())])])
    let effects = meetings.takeEffects()
    #expect(
      effects == [
        .decided(.publish(joined), in: .planning), .decided(.publish(joined), in: .review),
      ])
    let more = meetings.takeEffects()
    #expect(more.isEmpty)
  }

  @Test func `a gateway is lost after three seconds of silence`() throws {
    var meetings = settled()
    try join(.ada, &meetings)
    #expect(meetings.nextDeadline == clock[.seconds(3)])
    meetings.advance(to: clock[.seconds(3)])
    #expect(meetings.gatewayCount == 0)
    meetings.advance(to: clock[.milliseconds(17_999)])
    #expect(departures(of: &meetings).isEmpty)
    meetings.advance(to: clock[.seconds(18)])
    #expect(departures(of: &meetings) == [.gatewayLost])
  }

  @Test func `a gateway that sends heartbeats keeps its attendees`() throws {
    var meetings = settled()
    try join(.ada, &meetings)
    for second in 1...60 {
      let now = clock[.seconds(second)]
      _ = meetings.gatewayIsAlive(.a, run: 1, at: now)
      meetings.advance(to: now)
    }
    #expect(departures(of: &meetings).isEmpty)
    #expect(meetings.attendeeCount == 1)
  }

  @Test func `a gateway is asked to announce until its announcement is complete`() {
    var meetings = settled()
    #expect(isAsked(&meetings, .a, run: 1, at: clock[.zero]))
    _ = meetings.announce(
      .init(of: [], by: .a, run: 1, isLast: false), at: clock[.zero])
    #expect(isAsked(&meetings, .a, run: 1, at: clock[.zero]))
    _ = meetings.announce(
      .init(of: [], by: .a, run: 1, isLast: true), at: clock[.zero])
    #expect(!isAsked(&meetings, .a, run: 1, at: clock[.zero]))
  }

  @Test func `a lost gateway is asked to announce its sessions again`() {
    var meetings = settled()
    _ = meetings.announce(
      .init(of: [], by: .a, run: 1, isLast: true), at: clock[.zero])
    meetings.advance(to: clock[.seconds(3)])
    #expect(isAsked(&meetings, .a, run: 1, at: clock[.seconds(4)]))
  }

  @Test func `a gateway's restart orphans the gateway's former sessions`() throws {
    var meetings = settled()
    try join(.ada, &meetings)
    try join(.grace, &meetings)
    #expect(isAsked(&meetings, .a, run: 2, at: clock[.seconds(1)]))
    let wasPresent = try join(.ada, &meetings, run: 2, as: .resume, after: .seconds(2))
    #expect(wasPresent)
    for second in 3...16 { _ = meetings.gatewayIsAlive(.a, run: 2, at: clock[.seconds(second)]) }
    meetings.advance(to: clock[.seconds(16)])
    #expect(departures(of: &meetings) == [.gatewayLost])
    #expect(meetings.roster(of: .planning)?.entries == [Person.ada.entry()])
  }

  @Test func `recovery ends when all live gateways have announced their sessions`() {
    var meetings = PresenceMeetings(rules: rules, at: clock[.zero])
    meetings.expect([.a, .b], at: clock[.zero])
    let ada = (MeetingID.planning, Person.ada.description())
    _ = meetings.announce(
      .init(of: [ada], by: .a, run: 1, isLast: true), at: clock[.zero])
    #expect(meetings.isRecovering)
    _ = meetings.announce(
      .init(of: [], by: .b, run: 1, isLast: true), at: clock[.zero])
    #expect(!meetings.isRecovering)
    #expect(meetings.roster(of: .planning)?.entries == [Person.ada.entry()])
  }

  @Test func `recovery also waits for an unexpected gateway that sends heartbeats`() {
    var meetings = PresenceMeetings(rules: rules, at: clock[.zero])
    _ = meetings.gatewayIsAlive(.b, run: 1, at: clock[.zero])
    meetings.expect([.a], at: clock[.zero])
    _ = meetings.announce(
      .init(of: [], by: .a, run: 1, isLast: true), at: clock[.zero])
    #expect(meetings.isRecovering)
    _ = meetings.gatewayIsAlive(.a, run: 1, at: clock[.seconds(2)])
    meetings.advance(to: clock[.seconds(3)])
    #expect(!meetings.isRecovering)
  }

  @Test func `recovery ends after fifteen seconds at the latest`() {
    var meetings = PresenceMeetings(rules: rules, at: clock[.zero])
    meetings.expect([.a], at: clock[.zero])
    meetings.advance(to: clock[.milliseconds(14_999)])
    #expect(meetings.isRecovering)
    meetings.advance(to: clock[.seconds(15)])
    #expect(!meetings.isRecovering)
  }

  @Test func `recovery ends immediately if no gateway is live`() {
    var meetings = PresenceMeetings(rules: rules, at: clock[.zero])
    #expect(meetings.isRecovering)
    meetings.expect([], at: clock[.zero])
    #expect(!meetings.isRecovering)
  }

  @Test func `the reply to an announcement lists the sessions that have ended`() throws {
    var meetings = settled()
    try join(.ada, &meetings)
    meetings.endAttendee(Person.ada.attendee, in: .planning, at: clock[.zero])
    let sessions = [Person.ada, .grace].map {
      (meeting: MeetingID.planning, session: $0.description())
    }
    let over = meetings.announce(
      .init(of: sessions, by: .a, run: 1, isLast: true), at: clock[.zero])
    #expect(over.map(\.id) == [Person.ada.session()])
  }

  @Test func `an attendee who leaves a replica is demoted in the primary`() throws {
    var meetings = settled()
    try join(.ada, &meetings, .audience, kind: .replica(of: .planning))
    try meetings.promote(
      Person.ada.description(), in: .planning, through: .a, at: clock[.zero])
    _ = meetings.takeEffects()
    meetings.leave(Person.ada.session(), in: .audience, at: clock[.zero])
    #expect(departures(of: &meetings) == [.client])
    #expect(meetings.roster(of: .planning)?.entries.isEmpty == true)
  }

  @Test func `an operator's demotion of an unpromoted attendee fails only during recovery`()
    throws
  {
    var young = PresenceMeetings(rules: rules, at: clock[.zero])
    #expect(throws: PresenceError.recovering) {
      try young.demote(Person.ada.attendee, in: .planning, at: clock[.zero])
    }
    var meetings = settled()
    let wasPromoted = try meetings.demote(Person.ada.attendee, in: .planning, at: clock[.zero])
    #expect(!wasPromoted)
    #expect(meetings.meetingCount == 0)
  }

  @Test func `the end of a replica demotes its promoted attendees`() throws {
    var meetings = settled()
    try join(.ada, &meetings, .audience, kind: .replica(of: .planning))
    try meetings.promote(
      Person.ada.description(), in: .planning, through: .a, at: clock[.zero])
    meetings.endMeeting(.audience, with: Status(.notFound, "Deleted."), at: clock[.zero])
    #expect(meetings.roster(of: .planning)?.entries.isEmpty == true)
  }

  @Test func `the end of an empty meeting is published`() {
    var meetings = settled()
    let status = Status(.notFound, "Deleted.", session: .audioServerHungup)
    meetings.endMeeting(.planning, with: status, at: clock[.zero])
    let effects = meetings.takeEffects()
    #expect(
      effects == [.decided(.publish(RosterEvent(meetingEnded: status)), in: .planning)])
  }

  @Test func `an ended meeting is forgotten after a minute`() {
    var meetings = settled()
    meetings.endMeeting(.planning, with: Status(.notFound, "Deleted."), at: clock[.zero])
    meetings.advance(to: clock[.seconds(59)])
    #expect(meetings.roster(of: .planning) != nil)
    _ = meetings.takeEffects()
    meetings.advance(to: clock[.seconds(60)])
    let effects = meetings.takeEffects()
    #expect(effects == [.forget(.planning)])
    #expect(meetings.roster(of: .planning) == nil)
    #expect(meetings.nextDeadline == nil)
  }

  @Test func `an ended meeting is remembered but not counted`() throws {
    var meetings = settled()
    try join(.ada, &meetings, .planning)
    try join(.grace, &meetings, .review)
    #expect(meetings.meetingCount == 2)
    meetings.endMeeting(.planning, with: Status(.notFound, "Deleted."), at: clock[.zero])
    #expect(meetings.roster(of: .planning) != nil)
    #expect(meetings.meetingCount == 1)
  }

  @Test(arguments: [("gateway-a", true), ("", false), ("gateway a", false), ("gätewäy", false)])
  func `a gateway's name is 1-64 letters, digits, - _ or .`(text: String, isValid: Bool) {
    #expect((GatewayName(text) != nil) == isValid)
  }

  @Test func `a bounded cache that exceeds its limit drops the oldest entries`() {
    var memory = BoundedCache<Int, Int>(limit: 3, retention: .seconds(9))
    for number in 0..<100 { memory.remember(number, for: number, at: clock[.zero]) }
    memory.remember(-1, for: 99, at: clock[.zero])
    #expect((95..<100).map { memory[$0] } == [nil, nil, 97, 98, -1])
    #expect(memory.count == 3)
  }

  @Test func `a bounded cache drops entries that are older than its retention`() {
    var memory = BoundedCache<Int, Int>(limit: 100, retention: .seconds(9))
    for number in 0..<100 { memory.remember(number, for: number, at: clock[.seconds(number)]) }
    #expect(memory.count == 10)
    #expect((88..<92).map { memory[$0] } == [nil, nil, 90, 91])
    memory.remember(-1, for: 500, at: clock[.seconds(500)])
    #expect(memory.count == 1)
  }

  @Test func `a stall of presence extends the grace period of detached clients`() throws {
    var meetings = settled()
    try join(.ada, &meetings)
    try join(.grace, &meetings, through: .b)
    meetings.detach(
      Person.ada.session(), in: .planning, from: .a, silentFor: .zero, at: clock[.seconds(1)])
    _ = meetings.takeEffects()
    let stall = Duration.seconds(20)
    meetings.excuseSilence(of: stall)
    meetings.advance(to: clock[.seconds(5.9) + stall])
    #expect(departures(of: &meetings).isEmpty)
    meetings.advance(to: clock[.seconds(6) + stall])
    #expect(departures(of: &meetings) == [.connectionLost])
    #expect(meetings.roster(of: .planning)?.attendeeCount == 1)
  }

  @Test func `a detach by a stalled gateway does not drop the client immediately`() throws {
    for lastHeard in [10, 19] {
      var meetings = settled()
      try join(.ada, &meetings)
      _ = meetings.takeEffects()
      for second in 1...lastHeard {
        _ = isAsked(&meetings, .a, run: 1, at: clock[.seconds(second)])
      }
      let now = clock[.seconds(20)]
      meetings.detach(
        Person.ada.session(), in: .planning, from: .a, silentFor: .seconds(10), at: now)
      #expect(departures(of: &meetings) == (lastHeard == 19 ? [.connectionLost] : []))
      // A client that does not return is dropped at the latest after `dropAfter`.
      meetings.advance(to: now + rules.timing.dropAfter)
      #expect(meetings.roster(of: .planning)?.attendeeCount == 0)
    }
  }

  @Test func `a client's silence during a gateway's stall does not count`() throws {
    var meetings = settled()
    try join(.ada, &meetings)
    _ = meetings.takeEffects()
    let awake = clock[.seconds(2.5)]
    _ = isAsked(&meetings, .a, run: 1, at: awake)
    meetings.detach(
      Person.ada.session(), in: .planning, from: .a, silentFor: .seconds(2.5), at: awake)
    meetings.advance(to: awake + .seconds(4.9))
    #expect(departures(of: &meetings).isEmpty)
  }
}
