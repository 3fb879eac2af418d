import Bus
import MeetingModel
import Ownership
import Wire

/// Answers requests: each method reads its request, calls ``PresenceMeetings`` for the decision,
/// and answers.
extension PresenceService: PresenceServer {
  func join(_ request: V1.JoinRequest, _ call: Call<V1.JoinReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      let (meeting, session) = try AnnouncedSession.read(request.session, joinedAtMs: wallClock)
      try require(meeting)
      let wasPresent = try decide { meetings, now in
        try meetings.join(
          session, in: meeting, through: gateway, run: request.gatewayRun,
          as: request.isResume ? .resume : .start, at: now)
      }
      note(
        wasPresent ? "Has the session in the roster" : "Takes the session into the roster",
        of: session.id, as: session.participant, in: meeting, call)
      let join = joins.begin(session.id)
      afterJoins { [self] in
        whenSettled(call, of: meeting) { [self] in
          _ = joins.end(join, of: session.id)
          // During the wait, other sessions may have joined, and operators may have made decisions.
          try core.roster(of: meeting)?.checkIsLetIn(session.id)
          let roster = request.wantsPositionOnly ? position(of: meeting) : snapshot(of: meeting)
          let joinedAt = core.roster(of: meeting)?.joinedAtMs(of: session.id) ?? 0
          return V1.JoinReply(
            roster: roster, wasPresent: wasPresent, term: term, joinedAtMs: joinedAt)
        } ifGivenUp: { [unowned self] in
          // The gateway has not received the answer to this join. The gateway may retry, or has
          // already retried.
          guard joins.end(join, of: session.id) else { return }
          decide { $0.detach(session.id, in: meeting, from: gateway, silentFor: .zero, at: $1) }
        }
      }
    }
  }

  func leave(_ request: V1.LeaveRequest, _ call: Call<V1.LeaveReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      decide { $0.leave(session, in: meeting, at: $1) }
      note("The session left the roster", of: session, in: meeting, call)
      call.reply(V1.LeaveReply())
    }
  }

  func detach(_ request: V1.DetachRequest, _ call: Call<V1.DetachReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      let gateway = try GatewayName(wire: request.gateway)
      let silence = Duration.milliseconds(request.silentMs)
      decide { $0.detach(session, in: meeting, from: gateway, silentFor: silence, at: $1) }
      note("Waits for the session to come back", of: session, in: meeting, call)
      call.reply(V1.DetachReply())
    }
  }

  func setMuted(_ request: V1.SetMutedRequest, _ call: Call<V1.SetMutedReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      try decide { try $0.setMuted(session, in: meeting, to: request.isMuted, at: $1) }
      note(
        request.isMuted ? "Muted the session" : "Unmuted the session", of: session, in: meeting,
        call)
      call.reply(V1.SetMutedReply(isMuted: request.isMuted))
    }
  }

  func setMutedByOperator(
    _ request: V1.SetMutedByOperatorRequest, _ call: Call<V1.SetMutedByOperatorReply>
  ) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      decide { $0.setMutedByOperator(attendee, in: meeting, to: request.isMuted, at: $1) }
      call.reply(V1.SetMutedByOperatorReply())
    }
  }

  func muteAttendee(_ request: V1.MuteAttendeeRequest, _ call: Call<V1.MuteAttendeeReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      try decide { try $0.mute(attendee, in: meeting, at: $1) }
      call.reply(V1.MuteAttendeeReply())
    }
  }

  func setCapabilities(
    _ request: V1.SetCapabilitiesRequest, _ call: Call<V1.SetCapabilitiesReply>
  ) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      let capabilities = try AttendeeCapabilities(request.capabilities)
      decide { $0.setCapabilities(attendee, in: meeting, to: capabilities, at: $1) }
      call.reply(V1.SetCapabilitiesReply())
    }
  }

  func setBarred(_ request: V1.SetBarredRequest, _ call: Call<V1.SetBarredReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      decide { $0.setBarred(attendee, in: meeting, to: request.isBarred, at: $1) }
      call.reply(V1.SetBarredReply())
    }
  }

  func setLocked(_ request: V1.SetLockedRequest, _ call: Call<V1.SetLockedReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      decide { $0.setLocked(meeting, to: request.isLocked, at: $1) }
      call.reply(V1.SetLockedReply())
    }
  }

  func endAttendee(_ request: V1.EndAttendeeRequest, _ call: Call<V1.EndAttendeeReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      decide { $0.endAttendee(attendee, in: meeting, at: $1) }
      call.reply(V1.EndAttendeeReply())
    }
  }

  func demoteAttendee(
    _ request: V1.DemoteAttendeeRequest, _ call: Call<V1.DemoteAttendeeReply>
  ) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let attendee = try ParticipantID(request.attendeeID).attendee
      let wasPromoted = try decide { try $0.demote(attendee, in: meeting, at: $1) }
      call.reply(V1.DemoteAttendeeReply(wasPromoted: wasPromoted))
    }
  }

  func endMeeting(_ request: V1.EndMeetingRequest, _ call: Call<V1.EndMeetingReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let status = request.status.flatMap { Status($0) } ?? .meetingDeleted
      decide { $0.endMeeting(meeting, with: status, at: $1) }
      call.reply(V1.EndMeetingReply())
    }
  }

  func snapshot(_ request: V1.SnapshotRequest, _ call: Call<V1.RosterSnapshot>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      decide { $0.open(meeting, at: $1) }
      whenSettled(call, of: meeting) { [self] in
        snapshot(of: meeting, withAudience: request.includesAudience)
      }
    }
  }

  func replay(_ request: V1.ReplayRequest, _ call: Call<V1.ReplayReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      decide { $0.open(meeting, at: $1) }
      let events = events(
        of: meeting, epoch: request.epoch, after: request.afterSequence)
      if let events {
        call.reply(V1.ReplayReply(outcome: .events(V1.ReplayedEvents(events: events))))
      } else {
        whenSettled(call, of: meeting) { [self] in
          V1.ReplayReply(
            outcome: .snapshot(snapshot(of: meeting, withAudience: request.includesAudience)))
        }
      }
    }
  }

  func announce(_ request: V1.AnnounceRequest, _ call: Call<V1.AnnounceReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      let now = wallClock
      let part = SessionAnnouncementPage(
        reading: request.sessions, by: gateway, run: request.gatewayRun, isLast: request.last,
        seeing: request.membership, id: \.sessionID
      ) { try AnnouncedSession.read($0, joinedAtMs: now, isAnnounced: true) }
      let over = decide { $0.announce(part, at: $1) }
      call.reply(
        V1.AnnounceReply(
          unknownSessions: over.map(\.id.bytes), term: term, refused: refusals(of: part, and: over))
      )
    }
  }

  func gatewayAlive(_ request: V1.GatewayAliveRequest, _ call: Call<V1.GatewayAliveReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      owner.hear(highestTerm: request.highestTerm)
      let isAsked = decide {
        $0.gatewayIsAlive(
          gateway, run: request.gatewayRun, seeing: request.membership, at: $1)
      }
      call.reply(V1.GatewayAliveReply(term: term, wantsAnnouncement: isAsked))
    }
  }

  func reportLevels(_ request: V1.ReportLevelsRequest, _ call: Call<V1.ReportLevelsReply>) {
    attempt(call) {
      let meeting = try owned(request.meetingID)
      let reports = readable(request.levels) { try LevelReport($0) }
      decide { $0.reportLevels(reports, in: meeting, at: $1) }
      call.reply(V1.ReportLevelsReply())
    }
  }

  func promote(_ request: V1.PromoteRequest, _ call: Call<V1.PromoteReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      _ = try MeetingID(request.replicaMeetingID)
      let (primary, session) = try AnnouncedSession.read(
        request.primary, id: request.sessionID, joinedAtMs: wallClock)
      try require(primary)
      let run = request.gatewayRun == 0 ? nil : request.gatewayRun
      try decide { try $0.promote(session, in: primary, through: gateway, run: run, at: $1) }
      note(
        "Gives the session a seat in the primary", of: session.id, as: session.participant,
        in: primary, call)
      // A gateway that receives no answer retries, or ends the promotion itself. So the service
      // does not undo the promotion if this call gets no answer. Otherwise the service could undo a
      // newer promotion of the session.
      whenSettled(call, of: primary) { [self] in
        try core.roster(of: primary)?.checkIsPromoted(session.id, as: session.participant)
        return V1.PromoteReply(term: term)
      }
    }
  }

  func demote(_ request: V1.DemoteRequest, _ call: Call<V1.DemoteReply>) {
    attempt(call) {
      let primary = try owned(request.primaryMeetingID)
      let session = try SessionID(wire: request.sessionID)
      let gateway = request.isAnyGateways ? nil : try GatewayName(wire: request.gateway)
      let reason = PresenceReason(request.reason) ?? .demoted
      decide { $0.demote(session, in: primary, by: gateway, as: reason, at: $1) }
      note("The session gave its seat back", of: session, in: primary, call)
      call.reply(V1.DemoteReply())
    }
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    attempt(call) {
      let rules = configuration.rules
      call.reply(
        V1.Limits(
          maxAttendees: UInt32(clamping: rules.maxAttendees),
          dropAfterSeconds: UInt32(clamping: rules.timing.dropAfter.components.seconds)))
    }
  }
}
