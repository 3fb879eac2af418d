import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

@Suite struct OwnerMeetingStatesTests {
  private let start = ContinuousClock.now

  private func recovering() -> OwnerMeetingStates<GuestBook> {
    OwnerMeetingStates(timing: OwnerGracePeriods(), at: start)
  }

  private func settled() -> OwnerMeetingStates<GuestBook> {
    var table = recovering()
    table.expect([], at: start)
    return table
  }

  private func admit(
    _ visitor: String, to table: inout OwnerMeetingStates<GuestBook>,
    _ meeting: MeetingID = .planning,
    through gateway: GatewayName = .a, after elapsed: Duration = .zero
  ) {
    table.hear(gateway, run: 1, at: start + elapsed)
    table.change(meeting, else: { GuestBook(isRecovering: $0) }) {
      $0.admit(visitor, through: gateway)
    }
  }

  @Test func `effects are returned once, in order, with their meetings`() {
    var table = settled()
    admit("ada", to: &table, .review)
    admit("grace", to: &table)
    let effects = table.takeEffects()
    #expect(
      effects == [
        .decided("ada came", in: .review), .decided("grace came", in: .planning),
      ])
    let more = table.takeEffects()
    #expect(more.isEmpty && table.count == 2)
  }

  @Test func `an ended meeting is remembered but not counted`() {
    var table = settled()
    for meeting in [MeetingID.review, .planning] { admit("ada", to: &table, meeting) }
    table.changeKnown(.review) { book in
      book.hasEnded = true
      return []
    }
    #expect(table[.review] != nil && table.count == 1)
    table.changeKnown(.review) { book in
      book.visitors = [:]
      return []
    }
    table.advance(to: start)
    #expect(table[.review] == nil && table.count == 1)
  }

  @Test func `effects that are taken early are not returned again`() {
    var table = settled()
    for visitor in ["ada", "grace", "edsger"] { admit(visitor, to: &table) }
    let early = table.takeEffects { $0 == .decided("grace came", in: .planning) }
    #expect(early == [.decided("grace came", in: .planning)])
    let rest = table.takeEffects()
    #expect(
      rest == [.decided("ada came", in: .planning), .decided("edsger came", in: .planning)])
  }

  @Test func `a change that throws an error leaves the meeting unchanged`() throws {
    var table = settled()
    #expect(throws: Status.self) {
      try table.change(.planning, else: { GuestBook(isRecovering: $0) }) { _ throws(Status) in
        throw Status(.notFound, "Nobody.")
      }
    }
    #expect(table[.planning] == GuestBook(isRecovering: false))
    table.changeKnown(.review) { $0.admit("ada", through: .a) }
    #expect(table[.review] == nil)
  }

  @Test func `sessions of a silent gateway are lost and removed after the grace period`() {
    var table = settled()
    admit("ada", to: &table)
    admit("grace", to: &table, through: .b, after: .seconds(1))
    #expect(table.nextDeadline == start + .seconds(3))
    _ = table.takeEffects()
    table.advance(to: start + .seconds(3))
    let lost = table.takeEffects()
    #expect(lost == [.decided("ada is lost", in: .planning)])
    table.hear(.b, run: 1, at: start + .seconds(18))
    table.advance(to: start + .seconds(18))
    let gone = table.takeEffects()
    #expect(gone == [.decided("ada went", in: .planning)])
  }

  @Test func `a stall of the owner extends the grace period of sessions`() {
    var table = settled()
    admit("ada", to: &table)
    table.changeKnown(.planning) {
      $0.visitors["grace"] = .detached(.a, lastHeard: start)
      return []
    }
    _ = table.takeEffects()
    let stall = Duration.seconds(30)
    table.excuseSilence(of: stall)
    table.advance(to: start + stall + .milliseconds(2_999))
    let effects = table.takeEffects()
    #expect(effects.isEmpty)
    #expect(table.nextDeadline == start + stall + .seconds(3))
    table.advance(to: start + stall + .seconds(5))
    let later = table.takeEffects()
    #expect(
      later == [
        .decided("ada is lost", in: .planning), .decided("grace went", in: .planning),
      ])
  }

  @Test func `when a gateway restarts, the sessions of the gateway's former run are lost`() {
    var table = settled()
    admit("ada", to: &table)
    _ = table.takeEffects()
    let isAsked = table.gatewayIsAlive(.a, run: 2, at: start)
    let effects = table.takeEffects()
    #expect(isAsked && effects == [.decided("ada is lost", in: .planning)])
  }

  @Test func `the end of recovery is reported to all meetings`() {
    var table = recovering()
    let part = SessionAnnouncementPage(
      of: [(.review, "grace"), (.planning, "ada"), (.planning, "edsger")], by: .a, run: 1,
      isLast: true)
    table.announce(part, at: start) { table, meeting, visitors in
      table.change(meeting, else: { GuestBook(isRecovering: $0) }) { book in
        visitors.flatMap { book.admit($0, through: .a) }
      }
    }
    #expect(table.isRecovering)
    _ = table.takeEffects()
    table.expect([.a], at: start)
    let effects = table.takeEffects()
    #expect(
      effects == [.decided("recovered", in: .planning), .decided("recovered", in: .review)])
    let isAsked = table.gatewayIsAlive(.a, run: 1, at: start)
    #expect(!table.isRecovering && !isAsked)
  }

  @Test func `an empty meeting is forgotten at its deadline`() {
    var table = settled()
    table.change(.planning, else: { GuestBook(isRecovering: $0) }) { _ in [] }
    table.advance(to: start)
    let effects = table.takeEffects()
    #expect(effects == [.forget(.planning)])
    #expect(table[.planning] == nil && table.nextDeadline == nil)
  }

  @Test func `a malformed entry of an announcement is refused, and the other entries are accepted`()
  {
    let part = SessionAnnouncementPage(
      reading: ["ada", "", "grace"], by: .a, run: 7, isLast: false, id: { Array($0.utf8) }
    ) { name throws(InvalidModelValue) -> (MeetingID, String) in
      guard !name.isEmpty else { throw .invalidValue(what: "name", rule: "a word") }
      return (.planning, name)
    }
    #expect(part.sessions.map(\.session) == ["ada", "grace"])
    #expect(part.refused.map(\.session) == [[]])
    #expect(part.refused.allSatisfy { $0.reason is InvalidModelValue })
  }
}
