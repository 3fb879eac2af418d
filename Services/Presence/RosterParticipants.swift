import MeetingModel

/// The participants of one roster, by id and by session.
struct RosterParticipants: Sendable {
  private let rules: PresenceRules
  private var participants: [ParticipantID: Participant] = [:]
  private var holders: [SessionID: ParticipantID] = [:]
  private var nextOrdinal: UInt64 = 0

  /// The number of participants that count toward the meeting's capacity: all participants except
  /// content shares and departing attendees.
  private(set) var seatsTaken = 0

  /// A lower bound of the next time at which `presence` drops an absent participant; `nil` if no
  /// participant is absent.
  private(set) var earliestEnd: ContinuousClock.Instant?

  init(rules: PresenceRules) { self.rules = rules }

  var isEmpty: Bool { participants.isEmpty }

  /// Whether a live gateway has a session of at least one participant.
  var hasConnected: Bool { participants.values.contains(where: \.attendance.isConnected) }

  /// The participants in the order of their joins.
  var inOrder: [Participant] { participants.values.sorted { $0.ordinal < $1.ordinal } }

  subscript(id: ParticipantID) -> Participant? { participants[id] }

  /// The participant with this session; `nil` if the participant is departing.
  subscript(session: SessionID) -> Participant? {
    guard let participant = holders[session].flatMap({ participants[$0] }),
      !participant.attendance.isDeparting
    else { return nil }
    return participant
  }

  /// Returns the participant with this session, even if the participant is departing.
  func holder(of session: SessionID) -> ParticipantID? { holders[session] }

  /// Returns an attendee's participants: the attendee and its content share. Omits a participant
  /// that is absent or departing.
  func all(of attendee: AttendeeID) -> [Participant] {
    [ParticipantID(attendee), ParticipantID(attendee, modality: .content)]
      .compactMap { participants[$0] }
      .filter { !$0.attendance.isDeparting }
      .sorted { $0.ordinal < $1.ordinal }
  }

  /// Returns the next number in the order of joins.
  mutating func takeOrdinal() -> UInt64 {
    defer { nextOrdinal += 1 }
    return nextOrdinal
  }

  /// Adds a participant. Replaces an existing participant that has the same id.
  mutating func put(_ participant: Participant) {
    if let before = participants.updateValue(participant, forKey: participant.id) {
      if before.takesSeat { seatsTaken -= 1 }
      if before.session != participant.session { release(before.session, by: before.id) }
    }
    // The session of a departing participant may already be promoted as another attendee.
    if !participant.attendance.isDeparting || holders[participant.session] == nil {
      holders[participant.session] = participant.id
    }
    if participant.takesSeat { seatsTaken += 1 }
    if let end = participant.attendance.end(by: rules.timing)?.at {
      earliestEnd = earliestEnd.map { min($0, end) } ?? end
    }
  }

  mutating func remove(_ id: ParticipantID) {
    guard let participant = participants.removeValue(forKey: id) else { return }
    release(participant.session, by: id)
    if participant.takesSeat { seatsTaken -= 1 }
  }

  private mutating func release(_ session: SessionID, by id: ParticipantID) {
    if holders[session] == id { holders[session] = nil }
  }

  /// Subtracts the duration of a stall of this process from every measured absence.
  mutating func excuseSilence(of stall: Duration) {
    for index in participants.values.indices {
      let attendance = participants.values[index].attendance
      participants.values[index].attendance = attendance.excusingSilence(of: stall)
    }
    earliestEnd = earliestEnd.map { $0 + stall }
  }

  /// Returns the participants that were absent for too long, in the order of joins.
  mutating func overdue(at now: ContinuousClock.Instant) -> [(Participant, PresenceReason)] {
    guard let earliest = earliestEnd, earliest <= now else { return [] }
    var overdue: [(Participant, PresenceReason)] = []
    earliestEnd = nil
    for participant in participants.values {
      guard let end = participant.attendance.end(by: rules.timing) else { continue }
      if end.at <= now {
        overdue.append((participant, end.as))
      } else {
        earliestEnd = earliestEnd.map { min($0, end.at) } ?? end.at
      }
    }
    return overdue.sorted { $0.0.ordinal < $1.0.ordinal }
  }
}
