import Bus
import MeetingModel
import Wire

// Sends `presence` the changes of rosters that clients and operators request. `presence` accepts or
// rejects each change.
extension PresenceServiceConnector {
  /// Mutes or unmutes a client at the client's own request.
  ///
  /// The gateway repeats the call while `presence` restarts.
  ///
  /// - Throws: `failedPrecondition` if an operator has muted the attendee; `cancelled` if a newer
  ///   call of the client has arrived, or if the session has ended.
  func setMuted(
    _ isMuted: Bool, of session: GatewayClientSession, traceparent: String
  ) async throws(Status) -> V1.SetMutedReply {
    let call = session.requestedMute.ask(isMuted)
    session.willRequestMute()
    defer { session.requestedMute.end(call) }
    return try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      // The gateway must not send this call after a newer call of the client.
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
      session.acceptMute(isMuted)
      return reply
    }
  }

  private static let superseded = Status(
    .cancelled,
    "A newer call of the same session replaced this call; use the answer to the newer call.")

  /// Requests a place in the primary for a replica's session.
  func promote(_ session: GatewayClientSession, as record: V1.GatewaySession) async throws(Status) {
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

  /// Frees a session's place in the primary, unless the session was promoted again.
  func demote(
    _ session: GatewayClientSession, as reason: V1.PresenceReason, isAnyGateways: Bool = false
  ) {
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

  /// Asks `presence` to end a meeting for all participants, and waits for the answer.
  func awaitEnd(_ request: V1.EndMeetingRequest, _ id: MeetingID) async throws(Status) {
    try await follower.notices.tell(.meeting(id), timeout: Self.timeout) {
      client, options, then in
      client.endMeeting(request, options: options) { then($0.failure) }
    }
  }

  /// Ends the sessions of a deleted attendee.
  func endAttendee(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    let request = V1.EndAttendeeRequest(meetingID: meeting.text, attendeeID: id.text)
    try await follower.notices.tell(
      .attendee(id, in: meeting), timeout: Self.timeout
    ) { client, options, then in
      client.endAttendee(request, options: options) { then($0.failure) }
    }
  }

  /// At an operator's request, ends the promotion in which a client acts as this attendee.
  ///
  /// The gateway repeats the call while `presence` restarts, but never after the gateway has
  /// answered the operator, because a new promotion of the attendee may then have begun.
  ///
  /// - Returns: Whether a session was promoted as this attendee.
  func demote(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) -> Bool {
    let request = V1.DemoteAttendeeRequest(meetingID: meeting.text, attendeeID: id.text)
    return try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      let owner = try follower.reachableOwner(of: meeting)
      let options = CallOptions(timeout: .seconds(2), term: owner.term)
      return try await owner.client.demoteAttendee(request, options: options).wasPromoted
    }
  }

  /// Mutes an attendee at an operator's request, or ends an operator's mute.
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

  /// Mutes an attendee on a host's request. The attendee's client may unmute itself.
  ///
  /// The gateway repeats the call while `presence` restarts, but never after the gateway has
  /// answered the host, because the attendee may then have unmuted itself.
  func mute(_ id: AttendeeID, in meeting: MeetingID) async throws(Status) {
    let request = V1.MuteAttendeeRequest(meetingID: meeting.text, attendeeID: id.text)
    try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      let owner = try follower.reachableOwner(of: meeting)
      let options = CallOptions(timeout: .seconds(2), term: owner.term)
      _ = try await owner.client.muteAttendee(request, options: options)
    }
  }

  /// Bars an attendee at a host's or an operator's request, or readmits the attendee.
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

  /// Locks a meeting at a host's or an operator's request, or unlocks it.
  func setLocked(_ isLocked: Bool, _ meeting: MeetingID) async throws(Status) {
    let request = V1.SetLockedRequest(meetingID: meeting.text, isLocked: isLocked)
    try await follower.notices.tell(.meeting(meeting), timeout: Self.timeout) {
      client, options, then in
      client.setLocked(request, options: options) { then($0.failure) }
    }
  }

  /// Changes an attendee's capabilities.
  func setCapabilities(
    _ request: V1.SetCapabilitiesRequest, of id: AttendeeID, in meeting: MeetingID
  ) async throws(Status) {
    try await follower.notices.tell(
      .attendee(id, in: meeting), timeout: Self.timeout
    ) { client, options, then in
      client.setCapabilities(request, options: options) { then($0.failure) }
    }
  }

  /// The timeout of a notice: longer than a restart of `presence`, and shorter than a caller's
  /// timeout.
  ///
  /// If a notice fails within this time, `MeetingExpiry` repeats the notice at the next check of
  /// the occupied meetings.
  private static let timeout = Duration.seconds(4)

  /// Returns the present participants of a meeting. For a replica, these participants are the
  /// replica's audience.
  func roster(of meeting: MeetingID) async throws(Status) -> V1.RosterSnapshot {
    try await follower.reachableOwner(of: meeting).client.snapshot(
      V1.SnapshotRequest(meetingID: meeting.text, includesAudience: true), options: .replay)
  }
}
