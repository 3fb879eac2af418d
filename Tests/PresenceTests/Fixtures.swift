import MeetingModel

@testable import Presence

/// Somebody for the tests: the same number is the same attendee.
struct Person {
  let number: UInt8
  var modality: Modality?

  static let ada = Person(number: 1)
  static let grace = Person(number: 2)
  static let edsger = Person(number: 3)

  var content: Person { Person(number: number, modality: .content) }

  var attendee: AttendeeID { participant.attendee }

  var participant: ParticipantID {
    guard let id = try? AttendeeID("00000000-0000-4000-8000-0000000000" + hex(number)) else {
      preconditionFailure("The fixture's attendee id is wrong.")
    }
    return ParticipantID(id, modality: modality)
  }

  var identity: ParticipantIdentity {
    ParticipantIdentity(
      id: participant, externalUserID: ExternalUserID(unchecked: "person-\(number)"))
  }

  /// The `device`th session of this person.
  func session(_ device: UInt8 = 0) -> SessionID {
    let bytes = [number, device, modality == nil ? 0 : 1] + [UInt8](repeating: 7, count: 13)
    guard let id = SessionID(bytes: bytes) else {
      preconditionFailure("The fixture's session id is wrong.")
    }
    return id
  }

  func description(
    _ device: UInt8 = 0, mute: MuteState = .none,
    capabilities: AttendeeCapabilities = .all, capacity: Int? = nil, kind: RosterKind = .ordinary
  ) -> SessionDescription {
    SessionDescription(
      id: session(device), participant: participant, externalUserID: identity.externalUserID,
      capabilities: capabilities, mute: mute, capacity: capacity, kind: kind, joinedAt: 1_000)
  }

  func entry(
    mute: MuteState = .none, volume: VolumeLevel = .notSpeaking, signal: SignalStrength? = nil,
    capabilities: AttendeeCapabilities = .all
  ) -> RosterEntry {
    RosterEntry(
      identity: identity, mute: mute, volume: mute.isMuted ? .muted : volume, signal: signal,
      capabilities: capabilities, joinedAt: 1_000)
  }
}

private func hex(_ number: UInt8) -> String {
  String(number / 16, radix: 16) + String(number % 16, radix: 16)
}

extension MuteState {
  static let none = MuteState(isOwn: false, isByOperator: false)
  static let own = MuteState(isOwn: true, isByOperator: false)
  static let byOperator = MuteState(isOwn: false, isByOperator: true)
}

extension GatewayName {
  static let a = named("gateway-a")
  static let b = named("gateway-b")

  private static func named(_ text: String) -> GatewayName {
    guard let name = GatewayName(text) else {
      preconditionFailure("The fixture's gateway name is wrong.")
    }
    return name
  }
}

extension MeetingID {
  static let planning = numbered(1)
  static let review = numbered(2)
  static let audience = numbered(3)

  static func numbered(_ number: UInt8) -> MeetingID {
    guard let id = try? MeetingID("00000000-0000-4000-8000-1000000000" + hex(number)) else {
      preconditionFailure("The fixture's meeting id is wrong.")
    }
    return id
  }
}

/// Time for the tests: it passes when they say so.
struct Clock {
  let start = ContinuousClock.now

  /// So long after the start.
  subscript(_ elapsed: Duration) -> ContinuousClock.Instant { start + elapsed }

  static func seconds(_ seconds: Double) -> Duration { .seconds(seconds) }
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

  /// Joins at the clock's start, through gateway a, and returns what happened.
  @discardableResult
  mutating func join(
    _ session: SessionDescription, through gateway: GatewayName = .a, _ clock: Clock,
    as admission: Admission = .start, after elapsed: Duration = .zero
  ) throws(PresenceError) -> JoinOutcome {
    try join(session, through: gateway, as: admission, at: clock[elapsed])
  }
}

extension [RosterEffect] {
  static func joined(_ entries: RosterEntry...) -> [RosterEffect] {
    [.publish(RosterEvent(updates: [.presence(entries.map { .joined($0) })]))]
  }

  static func departed(_ people: Person..., as departure: Departure) -> [RosterEffect] {
    let changes = people.map { PresenceChange.departed($0.identity, departure) }
    return [.publish(RosterEvent(updates: [.presence(changes)]))]
  }

  static func muted(_ person: Person, _ mute: MuteState) -> [RosterEffect] {
    let change = MuteChange(participant: person.participant, mute: mute)
    return [.publish(RosterEvent(updates: [.mute([change])]))]
  }

  static func ended(_ session: SessionID, _ status: Status) -> [RosterEffect] {
    [.publish(RosterEvent(ended: [EndedSession(session: session, status: status)]))]
  }

  static func volumes(_ changes: (Person, VolumeLevel)...) -> [RosterEffect] {
    let volumes = changes.map { VolumeChange(participant: $0.participant, level: $1) }
    return [.publishLevels(LevelsUpdate(volumes: volumes))]
  }
}
