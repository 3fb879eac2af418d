import Testing
import Wire

@testable import CarillonClientCore

@Suite struct ClientRosterStateTests {
  private func entry(_ id: String, isMuted: Bool = false, byOperator: Bool = false)
    -> V1.RosterEntry
  {
    V1.RosterEntry(
      attendee: V1.AttendeeInfo(attendeeID: id, externalUserID: "user of " + id), isMuted: isMuted,
      isMutedByOperator: byOperator, volume: isMuted ? .muted : .notSpeaking)
  }

  private func snapshot(_ entries: [V1.RosterEntry], epoch: UInt64 = 7) -> V1.SessionEvent {
    V1.SessionEvent(event: .rosterSnapshot(.init(epoch: epoch, entries: entries)))
  }

  private func presence(_ ids: String..., state: V1.AttendeeState) -> V1.SessionEvent {
    let changes = ids.map { id in
      V1.PresenceChange(
        attendee: V1.AttendeeInfo(attendeeID: id, externalUserID: "user of " + id), state: state)
    }
    return V1.SessionEvent(event: .presenceChanged(.init(changes: changes)))
  }

  private func report(_ id: String, _ status: AttendeeStatus) -> AttendeePresenceReport {
    AttendeePresenceReport(attendeeId: id, externalUserId: "user of " + id, status: status)
  }

  @Test func `the first snapshot reports everybody as joined, with complete levels`() {
    var roster = ClientRosterState()
    let change = roster.apply(snapshot([entry("ada"), entry("grace", isMuted: true)]))
    #expect(change.presence == [report("ada", .joined), report("grace", .joined)])
    #expect(change.volumes?.map(\.level) == [.notSpeaking, .muted])
    #expect(!change.hasMissing)
  }

  @Test func `every report about an attendee carries the display name`() {
    var roster = ClientRosterState()
    let hanako = V1.AttendeeInfo(
      attendeeID: "h", externalUserID: "guest-1", displayName: "花子")
    let entry = V1.RosterEntry(attendee: hanako, volume: .low, signal: .high)
    let change = roster.apply(snapshot([entry]))
    #expect(change.presence.map(\.displayName) == ["花子"])
    #expect(change.volumes?.map(\.displayName) == ["花子"])
    #expect(change.signals?.map(\.displayName) == ["花子"])
    // The report of the lost attendee also contains the display name.
    #expect(roster.apply(snapshot([])).presence.map(\.displayName) == ["花子"])
  }

  @Test func `the external user id replaces a missing display name`() {
    #expect(AttendeeInfo(attendeeId: "a", externalUserId: "ada").displayName == "ada")
    let named = AttendeeInfo(attendeeId: "a", externalUserId: "ada", displayName: "Ada L.")
    #expect(named.displayName == "Ada L.")
    #expect(named == AttendeeInfo(attendeeId: "a", externalUserId: "ada"))
  }

  @Test func `attendees who join in one event are reported together and in order`() {
    var roster = ClientRosterState()
    _ = roster.apply(snapshot([entry("ada")]))
    let change = roster.apply(presence("grace", "edsger", state: .joined))
    #expect(change.presence == [report("grace", .joined), report("edsger", .joined)])
  }

  @Test func `an attendee missing from a snapshot of the same epoch is reported as dropped`() {
    var roster = ClientRosterState()
    _ = roster.apply(snapshot([entry("ada"), entry("grace")]))
    let change = roster.apply(snapshot([entry("ada")]))
    #expect(change.presence.contains(report("grace", .dropped)))
  }

  @Test func `an attendee missing from a new epoch is reported as dropped after a grace period`() {
    var roster = ClientRosterState()
    _ = roster.apply(snapshot([entry("ada"), entry("grace")]))
    let change = roster.apply(snapshot([entry("ada")], epoch: 8))
    #expect(change.presence == [report("ada", .joined)])
    #expect(change.hasMissing)
    #expect(roster.confirmMissing().presence == [report("grace", .dropped)])
    #expect(roster.confirmMissing().presence.isEmpty)
  }

  @Test func `an attendee who returns in a new epoch is never reported as gone`() {
    var roster = ClientRosterState()
    _ = roster.apply(snapshot([entry("ada"), entry("grace")]))
    _ = roster.apply(snapshot([entry("ada")], epoch: 8))
    _ = roster.apply(presence("grace", state: .joined))
    #expect(roster.confirmMissing().presence.isEmpty)
  }

  @Test func `the leave of a missing attendee is reported once`() {
    var roster = ClientRosterState()
    _ = roster.apply(snapshot([entry("ada"), entry("grace")]))
    _ = roster.apply(snapshot([entry("ada")], epoch: 8))
    #expect(roster.apply(presence("grace", state: .left)).presence == [report("grace", .left)])
    #expect(roster.confirmMissing().presence.isEmpty)
  }

  @Test func `a mute hides the measured level, and an unmute shows the level again`() {
    var roster = ClientRosterState()
    _ = roster.apply(snapshot([entry("ada")]))
    let loud = V1.LevelsChanged(
      epoch: 7, tick: 1, volumes: [.init(attendeeID: "ada", level: .high)])
    _ = roster.apply(V1.SessionEvent(event: .levelsChanged(loud)))
    func mute(_ isMuted: Bool) -> [VolumeLevel]? {
      let change = V1.MuteChange(attendeeID: "ada", isMuted: isMuted)
      return roster.apply(V1.SessionEvent(event: .muteChanged(.init(changes: [change])))).volumes?
        .map(\.level)
    }
    #expect(mute(true) == [.muted])
    #expect(mute(false) == [.high])
  }

  @Test func `an event reports levels only of the attendees that the event lists`() {
    var roster = ClientRosterState()
    #expect(roster.apply(snapshot([entry("ada"), entry("ben")])).hasAllLevels)
    let joins = roster.apply(presence("grace", "edsger", state: .joined))
    #expect(joins.volumes?.map(\.attendeeId) == ["edsger", "grace"])
    let mute = V1.MuteChange(attendeeID: "ben", isMuted: true)
    let muted = roster.apply(V1.SessionEvent(event: .muteChanged(.init(changes: [mute]))))
    #expect(muted.volumes?.map(\.attendeeId) == ["ben"])
    let levels = V1.LevelsChanged(
      epoch: 7, tick: 1, volumes: [.init(attendeeID: "ada", level: .low)],
      signals: [.init(attendeeID: "grace", strength: .low)])
    let measured = roster.apply(V1.SessionEvent(event: .levelsChanged(levels)))
    #expect(measured.volumes?.map(\.attendeeId) == ["ada"])
    #expect(measured.signals?.map(\.attendeeId) == ["grace"])
    #expect(![joins, muted, measured].contains { $0.hasAllLevels })
  }

  @Test(arguments: [(7, 1, true), (7, 0, false), (8, 1, false)])
  func `levels of an older tick or another epoch are discarded`(
    epoch: UInt64, tick: UInt64, isTaken: Bool
  ) {
    var roster = ClientRosterState()
    _ = roster.apply(snapshot([entry("ada")]))
    let levels = V1.LevelsChanged(
      epoch: epoch, tick: tick, volumes: [.init(attendeeID: "ada", level: .low)])
    let change = roster.apply(V1.SessionEvent(event: .levelsChanged(levels)))
    #expect((change.volumes != nil) == isTaken)
  }

  @Test func `the roster records an operator's mute until the operator lifts it`() {
    var roster = ClientRosterState()
    _ = roster.apply(snapshot([entry("ada", isMuted: true, byOperator: true)]))
    #expect(roster.isMutedByOperator["ada"] == true)
    let lifted = V1.MuteChange(attendeeID: "ada", isMuted: false, isMutedByOperator: false)
    _ = roster.apply(V1.SessionEvent(event: .muteChanged(.init(changes: [lifted]))))
    #expect(roster.isMutedByOperator["ada"] == false)
  }
}
