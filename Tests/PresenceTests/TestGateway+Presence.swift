import Bus
import MeetingModel
import OwnerTestSupport
import Wire

@testable import Presence

extension SeenEvent {
  var presence: [V1.PresenceChange] {
    body.events.flatMap { event -> [V1.PresenceChange] in
      if case .presenceChanged(let changed) = event.event { changed.changes } else { [] }
    }
  }
}

extension FollowedStream {
  /// The roster stream of the planning meeting.
  static let roster = FollowedStream(
    of: "presence-a", .roster(of: .planning), replay: V1.PresenceMethods.replay
  ) { epoch, sequence in
    V1.ReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence)
  } missed: { reply in
    switch reply.outcome {
    case .events(let replayed): .events(replayed.events)
    case .snapshot(let snapshot): .position(epoch: snapshot.epoch, sequence: snapshot.sequence)
    case nil: nil
    }
  }
}

/// Requests to presence.
extension TestGateway {
  /// Follows all events of the planning meeting from now on.
  func follow() async throws(Status) {
    subscribe()
    let snapshot = try await snapshot()
    takeEvents(ofEpoch: snapshot.epoch, after: snapshot.sequence)
  }

  @discardableResult
  func join(
    _ person: Person, device: UInt8 = 0, in meeting: MeetingID = .planning,
    isResume: Bool = false, options: CallOptions = .init()
  ) async throws(Status) -> V1.JoinReply {
    let request = V1.JoinRequest(
      session: session(person, device, meeting), gateway: name, isResume: isResume, gatewayRun: 1)
    return try await call(V1.PresenceMethods.join, request, options: options)
  }

  /// Lets several people join with one message to presence.
  func join(together people: [Person]) async throws -> [V1.JoinReply] {
    let joins = people.map { person in
      begin(
        V1.PresenceMethods.join,
        V1.JoinRequest(session: session(person, 0, .planning), gateway: name, gatewayRun: 1))
    }
    var replies: [V1.JoinReply] = []
    for join in joins { replies.append(try await join().get()) }
    return replies
  }

  /// Sends the joins of several people in one message. One of the joins names no meeting.
  ///
  /// - Returns: The reason why `presence` refuses that join.
  func joinMalformed(amongst people: [Person]) async -> Status? {
    var bad: (@Sendable () async -> Result<V1.JoinReply, Status>)?
    for (index, person) in people.enumerated() {
      if index == people.count / 2 {
        bad = begin(V1.PresenceMethods.join, V1.JoinRequest(gateway: name, gatewayRun: 1))
      }
      _ = begin(
        V1.PresenceMethods.join,
        V1.JoinRequest(session: session(person, 0, .planning), gateway: name, gatewayRun: 1))
    }
    if case .failure(let status)? = await bad?() { return status }
    return nil
  }

  /// Sends presence one message with two requests of a person: to join and to mute.
  func joinMuting(_ person: Person) async throws {
    let join = begin(
      V1.PresenceMethods.join,
      V1.JoinRequest(session: session(person, 0, .planning), gateway: name, gatewayRun: 1))
    let mute = begin(
      V1.PresenceMethods.setMuted,
      V1.SetMutedRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes, isMuted: true))
    _ = try await join().get()
    _ = try await mute().get()
  }

  /// Promotes a person whose session is in the audience's replica.
  func promote(_ person: Person) async throws(Status) {
    _ = try await call(
      V1.PresenceMethods.promote,
      V1.PromoteRequest(
        sessionID: person.session().bytes, replicaMeetingID: MeetingID.audience.text,
        primary: session(person, 0, .planning), gateway: name, gatewayRun: 1))
  }

  /// - Returns: Whether a session was promoted as this person.
  func demoteByOperator(_ person: Person) async throws(Status) -> Bool {
    try await call(
      V1.PresenceMethods.demoteAttendee,
      V1.DemoteAttendeeRequest(
        meetingID: MeetingID.planning.text, attendeeID: person.attendee.text)
    ).wasPromoted
  }

  func leave(_ person: Person, device: UInt8 = 0) async throws(Status) {
    _ = try await call(
      V1.PresenceMethods.leave,
      V1.LeaveRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session(device).bytes))
  }

  func detach(_ person: Person, silentFor milliseconds: UInt32) async throws(Status) {
    _ = try await call(
      V1.PresenceMethods.detach,
      V1.DetachRequest(
        meetingID: MeetingID.planning.text, sessionID: person.session().bytes,
        silentMs: milliseconds, gateway: name))
  }

  func snapshot(of meeting: MeetingID = .planning) async throws(Status) -> V1.RosterSnapshot {
    try await call(V1.PresenceMethods.snapshot, V1.SnapshotRequest(meetingID: meeting.text))
  }

  func replay(epoch: UInt64, after sequence: UInt64) async throws(Status) -> V1.ReplayReply {
    try await call(
      V1.PresenceMethods.replay,
      V1.ReplayRequest(
        meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence))
  }

  func announce(_ people: [Person], isLast: Bool = true) async throws(Status) -> V1.AnnounceReply {
    try await announce(people.map { session($0, 0, .planning) }, isLast: isLast)
  }

  /// Announces people with the times of their joins, in milliseconds since 1970, and no others.
  func announce(_ people: KeyValuePairs<Person, UInt64>) async throws(Status) -> V1.AnnounceReply {
    try await announce(
      people.map { person, joinedAt in
        var session = session(person, 0, .planning)
        session.joinedAtMs = joinedAt
        return session
      }, isLast: true)
  }

  private func announce(
    _ sessions: [V1.GatewaySession], isLast: Bool
  ) async throws(Status) -> V1.AnnounceReply {
    try await call(
      V1.PresenceMethods.announce,
      V1.AnnounceRequest(gateway: name, sessions: sessions, last: isLast, gatewayRun: 1))
  }

  /// Resumes a session, and then announces these people and no others.
  func resume(
    _ person: Person, beforeAnnouncing people: [Person]
  ) async throws -> V1.JoinReply {
    let request = V1.JoinRequest(
      session: session(person, 0, .planning), gateway: name, isResume: true, gatewayRun: 1)
    // On one connection, the join arrives before the announcement. Presence answers the join after
    // it has read the list of live gateways. Presence may read this list before or after the
    // announcement.
    let joined = begin(V1.PresenceMethods.join, request)
    _ = try await announce(people)
    return try await joined().get()
  }

  /// Requests a snapshot, and returns when presence has received the request.
  ///
  /// - Returns: A closure that waits for the answer. The closure returns the answer's status; `nil`
  ///   if the answer is the snapshot.
  func beginSnapshot() async throws(Status) -> @Sendable () async -> Status? {
    let snapshot = begin(
      V1.PresenceMethods.snapshot, V1.SnapshotRequest(meetingID: MeetingID.planning.text))
    // Presence reads the requests of a connection in order. The answer to this request shows that
    // presence has read the first request.
    _ = try await sayAlive()
    return {
      if case .failure(let status) = await snapshot() { status } else { nil }
    }
  }

  func sayAlive() async throws(Status) -> V1.GatewayAliveReply {
    try await call(
      V1.PresenceMethods.gatewayAlive, V1.GatewayAliveRequest(gateway: name, gatewayRun: 1))
  }

  private func session(
    _ person: Person, _ device: UInt8, _ meeting: MeetingID
  ) -> V1.GatewaySession {
    V1.GatewaySession(
      meetingID: meeting.text, participantID: person.participant.text,
      externalUserID: person.identity.externalUserID.text,
      sessionID: person.session(device).bytes)
  }
}
