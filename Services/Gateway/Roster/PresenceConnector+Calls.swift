import Bus
import MeetingModel
import Wire

// What clients and operators change in a roster: presence decides.
extension PresenceConnector {
  /// A client mutes or unmutes itself. Presence is asked again while it restarts.
  ///
  /// - Throws: `failedPrecondition` when an operator has muted the attendee; `cancelled` when a
  ///   newer call of the client came meanwhile.
  func setMuted(
    _ isMuted: Bool, of session: Session, traceparent: String
  ) async throws(Status) -> V1.SetMutedReply {
    let call = session.requestedMute.ask(isMuted)
    defer { session.requestedMute.end(call) }
    return try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      // A newer wish of the client must not be followed by this one.
      guard session.requestedMute.isNewest(call), context.sessions[session.number] != nil else {
        throw Self.superseded
      }
      let meeting = session.promotion.record == nil ? session.meeting : session.sourceMeeting
      let change = V1.SetMutedRequest(
        meetingID: meeting.text, sessionID: session.id.bytes, isMuted: isMuted)
      let reply = try await follower.change(meeting) { owner throws(Status) in
        try await owner.client.setMuted(
          change,
          options: CallOptions(timeout: .seconds(2), term: owner.term, traceparent: traceparent))
      }
      session.record.isMuted = isMuted
      session.record.isMuteUnknown = false
      session.promotion.change {
        $0.isMuted = isMuted
        $0.isMuteUnknown = false
      }
      return reply
    }
  }

  private static let superseded = Status(.cancelled, "A newer call took the place of this one.")

  /// Presence gives a replica's session a seat in the primary.
  func promote(_ session: Session, as record: V1.GatewaySession) async throws(Status) {
    let request = V1.PromoteRequest(
      sessionID: session.id.bytes, replicaMeetingID: session.meeting.text, primary: record,
      gateway: context.settings.instance, gatewayRun: context.run)
    let trace = session.trace
    try await follower.notices.tell(
      .session(session.id, in: session.sourceMeeting), timeout: Self.timeout
    ) { client, options, then in
      client.promote(request, options: options.traced(by: trace)) { then($0.failure) }
    }
  }

  /// A session gives its seat in the primary back, unless it was promoted again.
  func demote(_ session: Session, as reason: V1.PresenceReason, isAnyGateways: Bool = false) {
    let (id, meeting, trace) = (session.id, session.sourceMeeting, session.trace)
    let request = V1.DemoteRequest(
      primaryMeetingID: meeting.text, sessionID: id.bytes, reason: reason,
      isAnyGateways: isAnyGateways, gateway: context.settings.instance)
    follower.notices.add(
      .session(id, in: meeting),
      while: { [unowned context] in context.sessions.isUnpromoted(id) }
    ) { client, options, then in
      client.demote(request, options: options.traced(by: trace)) { then($0.failure) }
    }
  }

  /// Has presence tell everybody in the meeting that it has ended, and waits until it has.
  func awaitEnd(_ request: V1.EndMeetingRequest, _ id: MeetingID) async throws(Status) {
    try await follower.notices.tell(.meeting(id), timeout: Self.timeout) {
      client, options, then in
      client.endMeeting(request, options: options) { then($0.failure) }
    }
  }

  /// The sessions of a deleted attendee end.
  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    let request = V1.EndAttendeeRequest(meetingID: meeting.text, attendeeID: id.text)
    try await follower.notices.tell(
      .attendee(id, in: meeting), timeout: Self.timeout
    ) { client, options, then in
      client.endAttendee(request, options: options) { then($0.failure) }
    }
  }

  /// An operator ends the promotion as an attendee. Presence is asked again while it restarts, and
  /// never after the operator was answered: the attendee may have been promoted anew by then.
  ///
  /// - Returns: Whether somebody was promoted as it.
  func demote(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool {
    let request = V1.DemoteAttendeeRequest(meetingID: meeting.text, attendeeID: id.text)
    return try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      let owner = try follower.reachableOwner(of: meeting)
      let options = CallOptions(timeout: .seconds(2), term: owner.term)
      return try await owner.client.demoteAttendee(request, options: options).wasPromoted
    }
  }

  /// An operator has muted an attendee, or lifted that.
  func setMutedByOperator(
    _ isMuted: Bool, _ id: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    let request = V1.SetMutedByOperatorRequest(
      meetingID: meeting.text, attendeeID: id.text, isMuted: isMuted)
    try await follower.notices.tell(
      .attendee(id, in: meeting), timeout: Self.timeout
    ) { client, options, then in
      client.setMutedByOperator(request, options: options) { then($0.failure) }
    }
  }

  /// An operator has sent an attendee away, or lets it come back.
  func setBarred(
    _ isBarred: Bool, _ id: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    let request = V1.SetBarredRequest(
      meetingID: meeting.text, attendeeID: id.text, isBarred: isBarred)
    try await follower.notices.tell(
      .attendee(id, in: meeting), timeout: Self.timeout
    ) { client, options, then in
      client.setBarred(request, options: options) { then($0.failure) }
    }
  }

  /// An operator has locked a meeting, or opened it.
  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(Status) {
    let request = V1.SetLockedRequest(meetingID: meeting.text, isLocked: isLocked)
    try await follower.notices.tell(.meeting(meeting), timeout: Self.timeout) {
      client, options, then in
      client.setLocked(request, options: options) { then($0.failure) }
    }
  }

  /// What an attendee may do has changed.
  func setCapabilities(
    _ request: V1.SetCapabilitiesRequest, of id: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try await follower.notices.tell(
      .attendee(id, in: meeting), timeout: Self.timeout
    ) { client, options, then in
      client.setCapabilities(request, options: options) { then($0.failure) }
    }
  }

  /// Longer than a restart of presence and shorter than a caller's patience. What could not be told
  /// by then is told by the next look through the occupied meetings (`MeetingExpiry`).
  private static let timeout = Duration.seconds(4)

  /// Who is in a meeting now, of a replica its audience.
  func roster(of meeting: MeetingID) async throws(Status) -> V1.RosterSnapshot {
    try await follower.reachableOwner(of: meeting).client.snapshot(
      V1.SnapshotRequest(meetingID: meeting.text, includesAudience: true), options: .replay)
  }
}
