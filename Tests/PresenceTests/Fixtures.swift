import MeetingModel
import OwnerTestSupport
import Ownership

@testable import Presence

extension Person {
  func description(
    _ device: UInt8 = 0, mute: MuteState = .none,
    capabilities: AttendeeCapabilities = .all, capacity: Int? = nil, kind: RosterKind = .ordinary
  ) -> AnnouncedSession {
    AnnouncedSession(
      id: session(device), participant: participant, externalUserID: identity.externalUserID,
      capabilities: capabilities, mute: mute, capacity: capacity, kind: kind, joinedAtMs: 1_000)
  }

  func entry(
    mute: MuteState = .none, volume: VolumeLevel = .notSpeaking, signal: SignalStrength? = nil,
    capabilities: AttendeeCapabilities = .all
  ) -> RosterEntry {
    RosterEntry(
      identity: identity, mute: mute, volume: mute.isMuted ? .muted : volume, signal: signal,
      capabilities: capabilities, joinedAtMs: 1_000)
  }
}

extension MuteState {
  static let none = MuteState(isOwn: false, isByOperator: false)
  static let own = MuteState(isOwn: true, isByOperator: false)
  static let byOperator = MuteState(isOwn: false, isByOperator: true)
}

extension Roster {
  static func settled(_ rules: PresenceRules, _ clock: Clock) -> Roster {
    Roster(rules: rules, isRecovering: false, at: clock[.zero])
  }

  static func settled(_ clock: Clock) -> Roster { settled(PresenceRules(), clock) }

  static func recovering(_ rules: PresenceRules, _ clock: Clock) -> Roster {
    Roster(rules: rules, isRecovering: true, at: clock[.zero])
  }

  static func recovering(_ clock: Clock) -> Roster { recovering(PresenceRules(), clock) }

  /// Makes the session join through gateway a at the clock's start, and returns the effects.
  @discardableResult
  mutating func join(
    _ session: AnnouncedSession, through gateway: GatewayName = .a, _ clock: Clock,
    as arrival: SessionArrival = .start, after elapsed: Duration = .zero
  ) throws(PresenceError) -> JoinOutcome {
    try join(session, through: gateway, as: arrival, at: clock[elapsed])
  }
}

extension [RosterEffect] {
  static func joined(_ entries: RosterEntry...) -> [RosterEffect] {
    [.publish(RosterEvent(updates: [.presence(entries.map { .joined($0) })]))]
  }

  static func departed(_ people: Person..., as departure: PresenceReason) -> [RosterEffect] {
    let changes = people.map { PresenceChange.departed($0.identity, departure) }
    let lost = departure.departedState == .dropped ? people.map { $0.session() } : []
    return [.publish(RosterEvent(updates: [.presence(changes)], lost: lost))]
  }

  /// Returns the effects when a promotion ends and the session continues in the replica.
  static func demoted(_ person: Person, as departure: PresenceReason) -> [RosterEffect] {
    [.publish(RosterEvent(updates: [.presence([.departed(person.identity, departure)])]))]
  }

  static func muted(_ person: Person, _ mute: MuteState) -> [RosterEffect] {
    let change = MuteChange(participant: person.participant, mute: mute)
    return [.publish(RosterEvent(updates: [.mute([change])]))]
  }

  /// - Parameter isPromotion: Whether only a promotion ends, and not the session.
  static func ended(
    _ session: SessionID, _ status: Status, isPromotion: Bool = false
  ) -> [RosterEffect] {
    let ended = SessionToEnd(session: session, status: status)
    return [.publish(RosterEvent(ended: [ended], lost: isPromotion ? [] : [session]))]
  }

  static func volumes(_ changes: (Person, VolumeLevel)...) -> [RosterEffect] {
    let volumes = changes.map { VolumeChange(participant: $0.participant, level: $1) }
    return [.publishLevels(LevelsUpdate(volumes: volumes))]
  }
}
