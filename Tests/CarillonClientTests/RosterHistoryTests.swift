import LongComputation
import TestSupport
import Testing
import Wire

@testable import CarillonClientCore

/// Random histories of a meeting, compared with a simple model. Clients join late, resume, or miss
/// more events than the gateway keeps.
@Suite(.longComputation) struct RosterHistoryTests {
  private static let steps = 200

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a late joiner gets no report of attendees who left earlier`(seed: UInt64) {
    var history = MeetingHistory(seed: seed)
    let before = Int.random(in: 0..<Self.steps, using: &history.generator)
    var known: Set<String> = []
    for _ in 0..<before {
      _ = history.step()
      known.formUnion(history.present.keys)
    }
    _ = history.join(MeetingHistory.local)
    let gone = known.subtracting(history.present.keys)
    var late = HistoryListener()
    late.hear(history.snapshot)
    #expect(late.here == history.present)
    #expect(late.isConsistent)
    for _ in before..<Self.steps { late.hear(history.step()) }
    #expect(late.here == history.present)
    #expect(late.isConsistent)
    #expect(gone.isDisjoint(with: late.told))
  }

  @Test(arguments: 0..<20 as Range<UInt64>, [true, false])
  func `a client that resumes with a snapshot reports only the changes`(
    seed: UInt64, isEpochKnown: Bool
  ) {
    var history = MeetingHistory(seed: seed)
    var ada = HistoryListener()
    _ = history.join(MeetingHistory.local)
    ada.hear(history.snapshot)
    for _ in 0..<Self.steps {
      if Int.random(in: 0..<10, using: &history.generator) > 0 {
        ada.hear(history.step())
      } else {
        resume(&ada, in: &history, isEpochKnown: isEpochKnown)
      }
    }
    #expect(ada.isConsistent)
  }

  /// Lets the client miss some events, and sends the client a snapshot instead of these events.
  private func resume(
    _ ada: inout HistoryListener, in history: inout MeetingHistory, isEpochKnown: Bool
  ) {
    let before = ada.here
    for _ in 0..<([0, 3, 90].randomElement(using: &history.generator) ?? 0) { _ = history.step() }
    if !isEpochKnown { history.epoch += 1 }
    ada.told = []
    ada.hear(history.snapshot)
    // In a new epoch, attendees who are missing from the snapshot may still reconnect.
    let isMissed = !isEpochKnown && !Set(before.keys).isSubset(of: history.present.keys)
    #expect(ada.hasMissing == isMissed)
    ada.confirmMissing()
    #expect(ada.here == history.present)
    let all = Set(before.keys).union(ada.here.keys)
    #expect(ada.told == all.filter { before[$0] != ada.here[$0] })
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `if an attendee missing from a new epoch returns in time, nothing is reported`(
    seed: UInt64
  ) {
    var history = MeetingHistory(seed: seed)
    var ada = HistoryListener()
    _ = history.join(MeetingHistory.local)
    ada.hear(history.snapshot)
    for _ in 0..<Self.steps { ada.hear(history.step()) }
    let everybody = history.present
    for name in everybody.keys.sorted() where name != MeetingHistory.local {
      if Bool.random(using: &history.generator) { history.present[name] = nil }
    }
    history.epoch += 1
    ada.told = []
    ada.hear(history.snapshot)
    for (name, isMuted) in everybody where history.present[name] == nil {
      ada.hear(history.join(name, isMuted: isMuted))
    }
    ada.confirmMissing()
    #expect(ada.told.isEmpty)
    #expect(ada.here == everybody)
    #expect(ada.isConsistent)
  }

  @Test(arguments: 0..<20 as Range<UInt64>)
  func `a session that is started again gets no reports of its earlier runs`(seed: UInt64) {
    var history = MeetingHistory(seed: seed)
    var known: Set<String> = []
    for _ in 0..<4 {
      _ = history.join(MeetingHistory.local)
      var run = HistoryListener()
      run.hear(history.snapshot)
      #expect(run.told == Set(history.present.keys))
      for _ in 0..<Self.steps / 4 { run.hear(history.step()) }
      #expect(run.here == history.present)
      #expect(run.isConsistent)
      #expect(known.subtracting(run.atFirst).isDisjoint(with: run.told))
      known.formUnion(run.told)
      history.present[MeetingHistory.local] = nil
    }
  }
}

/// A meeting in which attendees join, leave, mute and unmute, as presence sees them.
private struct MeetingHistory {
  static let local = "ada"

  var generator: SeededGenerator

  /// For each present attendee, whether this attendee is muted.
  var present: [String: Bool] = [:]
  var epoch: UInt64 = 7
  private var names = 0

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// Makes one random change, and returns the event of this change.
  mutating func step() -> V1.SessionEvent {
    let others = present.keys.filter { $0 != Self.local }.sorted()
    let isJoin = Int.random(in: 0..<10, using: &generator) < 4
    guard !isJoin, let guest = others.randomElement(using: &generator) else {
      names += 1
      return join("guest-\(names)")
    }
    if Bool.random(using: &generator) { return leave(guest) }
    return toggleMute(of: guest)
  }

  mutating func join(_ name: String, isMuted: Bool = false) -> V1.SessionEvent {
    present[name] = isMuted
    return change(name, to: .joined, isMuted: isMuted)
  }

  private mutating func leave(_ name: String) -> V1.SessionEvent {
    present[name] = nil
    return change(name, to: Bool.random(using: &generator) ? .left : .dropped)
  }

  private mutating func toggleMute(of name: String) -> V1.SessionEvent {
    let isMuted = present[name] == false
    present[name] = isMuted
    let change = V1.MuteChange(attendeeID: name, isMuted: isMuted)
    return V1.SessionEvent(event: .muteChanged(.init(changes: [change])))
  }

  var snapshot: V1.SessionEvent {
    let entries = present.map { name, isMuted in
      V1.RosterEntry(
        attendee: Self.info(name), isMuted: isMuted, volume: isMuted ? .muted : .notSpeaking)
    }
    return V1.SessionEvent(event: .rosterSnapshot(.init(epoch: epoch, entries: entries, tick: 5)))
  }

  private func change(
    _ name: String, to state: V1.AttendeeState, isMuted: Bool = false
  ) -> V1.SessionEvent {
    let change = V1.PresenceChange(attendee: Self.info(name), state: state, isMuted: isMuted)
    return V1.SessionEvent(event: .presenceChanged(.init(changes: [change])))
  }

  private static func info(_ name: String) -> V1.AttendeeInfo {
    V1.AttendeeInfo(attendeeID: name, externalUserID: name)
  }
}

/// The reports to the observers of one run, combined as `SessionRun` combines them.
private struct HistoryListener {
  private var roster = ClientRosterState()
  private var attendees = PresentAttendees()
  private var levels = LevelSnapshot<VolumeLevel>()

  /// For each present attendee, whether this attendee is muted according to the reports.
  private(set) var here: [String: Bool] = [:]

  /// The attendees that the first report named.
  private(set) var atFirst: Set<String> = []

  /// The attendees whom any report named.
  var told: Set<String> = []
  private(set) var hasMissing = false

  /// Whether every report was consistent with the earlier reports.
  private(set) var isConsistent = true

  mutating func hear(_ event: V1.SessionEvent) {
    let isFirst = told.isEmpty && here.isEmpty
    take(roster.apply(event))
    if isFirst { atFirst = told }
  }

  mutating func confirmMissing() { take(roster.confirmMissing()) }

  private mutating func take(_ change: ClientRosterState.Change) {
    hasMissing = change.hasMissing
    let difference = attendees.apply(
      change.presence.map { (Self.info($0.attendeeId), $0.status) })
    for attendee in difference.joined { join(attendee.attendeeId) }
    for attendee in difference.left + difference.dropped { leave(attendee.attendeeId) }
    levels.forget(difference.left + difference.dropped)
    takeLevels(change)
  }

  private mutating func join(_ name: String) {
    isConsistent = isConsistent && here[name] == nil
    here[name] = false
    told.insert(name)
  }

  private mutating func leave(_ name: String) {
    isConsistent = isConsistent && name != MeetingHistory.local && here[name] != nil
    here[name] = nil
    told.insert(name)
  }

  private mutating func takeLevels(_ change: ClientRosterState.Change) {
    let all = (change.volumes ?? []).map { (attendee: Self.info($0.attendeeId), level: $0.level) }
    let changes =
      change.hasAllLevels ? levels.replace(with: all) : levels.update(with: all)
    for change in changes where (change.level == .muted) != (change.previous == .muted) {
      mute(change.attendee.attendeeId, change.level == .muted)
    }
  }

  private mutating func mute(_ name: String, _ isMuted: Bool) {
    isConsistent = isConsistent && here[name] == !isMuted
    here[name] = isMuted
    told.insert(name)
  }

  private static func info(_ name: String) -> AttendeeInfo {
    AttendeeInfo(attendeeId: name, externalUserId: name)
  }
}
