import MeetingModel
import OwnerTestSupport
import Ownership
import Testing

/// Tests of an owner when other instances start and stop.
@Suite struct MembershipChangeTests {
  private let start = ContinuousClock.now
  private let alone = OwningInstances(of: ["a"])
  private let both = OwningInstances(of: ["b", "a"])

  private func share(_ membership: OwningInstances) -> OwnedMeetings {
    OwnedMeetings(of: "a", in: membership)
  }

  /// Returns a meeting that belongs to this instance when there are two instances.
  private func meeting(of instance: String) -> MeetingID {
    while true {
      let meeting = MeetingID.random()
      if both.owner(of: meeting) == instance { return meeting }
    }
  }

  /// Returns an owner to which the only gateway has announced all its sessions.
  private func settled(_ membership: OwningInstances) -> OwnerMeetingStates<GuestBook> {
    var table = OwnerMeetingStates<GuestBook>(timing: OwnerGracePeriods(), at: start)
    table.take(share(membership), at: start)
    table.expect([.a], at: start)
    announce([:], to: &table, seeing: membership)
    return table
  }

  private func announce(
    _ visitors: [MeetingID: String], to table: inout OwnerMeetingStates<GuestBook>,
    seeing membership: OwningInstances, through gateway: GatewayName = .a
  ) {
    let part = SessionAnnouncementPage(
      of: visitors.map { (meeting: $0.key, session: $0.value) }, by: gateway, run: 1,
      isLast: true, seeing: membership.fingerprint)
    table.announce(part, at: start) { table, meeting, sessions in
      table.change(meeting, else: { GuestBook(isRecovering: $0) }) { book in
        sessions.flatMap { book.admit($0, through: gateway) }
      }
    }
  }

  private func admit(
    _ visitor: String, to meeting: MeetingID, of table: inout OwnerMeetingStates<GuestBook>
  ) {
    table.change(meeting, else: { GuestBook(isRecovering: $0) }) { $0.admit(visitor, through: .a) }
  }

  @Test(
    arguments: [
      (nil, ["a"], true), (["a"], ["a", "b"], false), (["a", "b"], ["a"], true),
      (["a", "b"], ["a", "c"], true), (["b"], ["a", "b"], true), (["a", "b"], ["b"], false),
      (["a"], ["a"], false),
    ] as [([String]?, [String], Bool)])
  func `an instance can gain meetings only at its start or when another instance has left`(
    former: [String]?, present: [String], mayGain: Bool
  ) {
    let former = former.map { share(OwningInstances(of: $0)) }
    #expect(share(OwningInstances(of: present)).mayGain(since: former) == mayGain)
  }

  @Test func `a membership does not depend on the order of its instances`() {
    #expect(both == OwningInstances(of: ["a", "b", "a"]))
    #expect(both.fingerprint != alone.fingerprint)
    // The fingerprint separates the names, so "ab" differs from "a" and "b".
    #expect(OwningInstances(of: ["ab"]).fingerprint != both.fingerprint)
  }

  @Test func `a gained meeting recovers until all gateways have announced the meeting's sessions`()
  {
    var table = settled(both)
    let (own, gained) = (meeting(of: "a"), meeting(of: "b"))
    admit("ada", to: own, of: &table)
    #expect(!table.serves(gained))
    table.take(share(alone), at: start)
    #expect(table.serves(gained))
    #expect(table.isRecovering(gained))
    #expect(!table.isRecovering(own))
    #expect(table[own]?.isRecovering == false)
    table.expect([.a, .b], at: start)
    // The table does not count the announcement of a gateway that still sees the other instance.
    announce([:], to: &table, seeing: both, through: .b)
    announce([gained: "grace"], to: &table, seeing: alone)
    #expect(table.isRecovering(gained))
    let isAsked = table.gatewayIsAlive(.b, run: 1, seeing: both.fingerprint, at: start)
    #expect(isAsked)
    announce([gained: "edsger"], to: &table, seeing: alone, through: .b)
    #expect(!table.isRecovering(gained))
    #expect(table[gained]?.visitors.keys.sorted() == ["edsger", "grace"])
    // The state of the meeting that this owner already owned does not change.
    let effects = table.takeEffects().filter {
      if case .decided(_, own) = $0 { true } else { false }
    }
    #expect(effects == [.decided("ada came", in: own)])
  }

  @Test func `a ceded meeting is served until all gateways use the new membership`() {
    var table = settled(alone)
    let ceded = meeting(of: "b")
    admit("ada", to: ceded, of: &table)
    #expect(table.count == 1)
    table.take(share(both), at: start)
    #expect(table.serves(ceded))
    #expect(table.count == 0)
    let isAsked = table.gatewayIsAlive(.a, run: 1, seeing: both.fingerprint, at: start)
    #expect(!isAsked)
    #expect(!table.serves(ceded))
    #expect(table.takeEffects().last == .forget(ceded))
  }

  @Test func `a meeting that returns to its former owner recovers again`() {
    var table = settled(alone)
    let moving = meeting(of: "b")
    admit("ada", to: moving, of: &table)
    table.take(share(both), at: start)
    table.take(share(alone), at: start)
    #expect(table[moving] == nil)
    #expect(table.takeEffects().last == .forget(moving))
    #expect(table.isRecovering(moving))
  }

  @Test func `a gateway must repeat its announcement after a membership change`() {
    var table = settled(both)
    let gained = meeting(of: "b")
    table.expect([.a, .b], at: start)
    announce([:], to: &table, seeing: both, through: .b)
    announce([gained: "ada"], to: &table, seeing: alone)
    table.take(share(alone), at: start)
    table.expect([.a, .b], at: start)
    announce([gained: "grace"], to: &table, seeing: alone, through: .b)
    #expect(table.isRecovering(gained))
    let isAsked = table.gatewayIsAlive(.a, run: 1, seeing: alone.fingerprint, at: start)
    #expect(isAsked)
    announce([gained: "ada"], to: &table, seeing: alone)
    #expect(!table.isRecovering(gained))
    #expect(table[gained]?.visitors.keys.sorted() == ["ada", "grace"])
  }

  @Test func `an announcement of another owner's meeting is ignored`() {
    var table = settled(both)
    let (own, foreign) = (meeting(of: "a"), meeting(of: "b"))
    announce([own: "ada", foreign: "ada"], to: &table, seeing: alone)
    #expect(table.serves(own))
    #expect(!table.serves(foreign))
    #expect(table.takeEffects() == [.decided("ada came", in: own)])
  }
}
