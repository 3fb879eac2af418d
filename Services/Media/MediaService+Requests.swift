import Bus
import MeetingModel
import Ownership
import Wire
import ZeroMQ

/// Answers requests: each method reads its request, changes sessions and their rights, and answers.
extension MediaService: MediaServer {
  // MARK: Sessions

  func admit(_ request: V1.AdmitRequest, _ call: Call<V1.AdmitReply>) {
    answer(call) {
      let description = try AnnouncedSession(request)
      hear(description.gateway, run: description.gatewayRun)
      if let session = sessions[description.session], session.isNewer(than: description) {
        throw MediaError.admittedElsewhere
      }
      if let older = sessions[description.session], older.meeting != description.meeting {
        remove(older)
      }
      guard let meeting = openMeeting(description.meeting) else {
        throw MediaError.unknownMeeting
      }
      let session = meeting.admit(description, at: mediaTime)
      if session.ticket != description.ticket || tickets[description.ticket] == nil {
        tickets[session.ticket] = nil
        disconnect(session)
        session.ticket = description.ticket
        tickets[description.ticket] = session
      }
      sessions[session.id] = session
      note(
        "Let the session in", of: session.id, as: description.identity.id, in: session.meeting,
        call)
      return V1.AdmitReply(
        endpoint: configuration.advertised.text,
        format: V1.MediaFormat(of: session, configuration.rules), term: term)
    }
  }

  func release(_ request: V1.ReleaseRequest, _ call: Call<V1.ReleaseReply>) {
    answer(call) {
      let id = try SessionID(wire: request.sessionID)
      let gateway = try GatewayName(wire: request.gateway)
      // If another gateway has taken over the session, the former gateway must not release the
      // session.
      if let session = sessions[id], session.contact.gateway == gateway {
        note("Let the session go", of: id, in: session.meeting, call)
        remove(session)
      }
      return V1.ReleaseReply()
    }
  }

  /// Removes a session and its ticket.
  ///
  /// If the meeting has no other sessions, removes the meeting.
  func remove(_ session: MediaServerSession) {
    sessions[session.id] = nil
    tickets[session.ticket] = nil
    door?.remove(session.id)
    disconnect(session)
    guard let meeting = meetings[session.meeting] else { return }
    meeting.remove(session)
    if meeting.isEmpty { forget(meeting) }
  }

  func negotiate(_ request: V1.NegotiateRequest, _ call: Call<V1.NegotiateReply>) {
    answer(call) {
      let id = try SessionID(wire: request.sessionID)
      guard let session = sessions[id], session.meeting.text == request.meetingID else {
        throw MediaError.notAdmitted
      }
      guard let door else { throw MediaError.noBrowsers }
      note("The session negotiates", of: id, in: session.meeting, call)
      let answer = try door.answer(
        request.offer, of: id, sending: session.streams.receiveSSRC, BrowserVideoDirections(request)
      )
      if let link = session.link {
        session.downlink.renumber(link.numbers, naming: link.transportNumbers)
        meetings[session.meeting]?.forward(to: session, at: mediaTime)
      }
      return V1.NegotiateReply(answer, term: term)
    }
  }

  // MARK: Rights

  func setSendRights(
    _ request: V1.SetSendRightsRequest, _ call: Call<V1.SetSendRightsReply>
  ) {
    answer(call) {
      let id = try MeetingID(request.meetingID)
      let participant = try ParticipantID(request.participantID)
      let change = try RightsChange(request.change)
      guard let meeting = meetings[id] else { return V1.SetSendRightsReply(isKnown: false) }
      let isKnown = meeting.change(change, of: participant, at: mediaTime)
      return V1.SetSendRightsReply(isKnown: isKnown)
    }
  }

  func setVoiceFocus(
    _ request: V1.SetVoiceFocusRequest, _ call: Call<V1.SetVoiceFocusReply>
  ) {
    answer(call) {
      let id = try SessionID(wire: request.sessionID)
      guard let session = sessions[id], let meeting = meetings[session.meeting] else {
        throw MediaError.unknownSession
      }
      meeting.setVoiceFocus(request.isEnabled, of: session)
      return V1.SetVoiceFocusReply(isEnabled: session.isVoiceFocusEnabled)
    }
  }

  func promote(_ request: V1.PromoteRequest, _ call: Call<V1.PromoteMediaReply>) {
    answer(call) {
      let id = try SessionID(wire: request.sessionID)
      let gateway = try GatewayName(wire: request.gateway)
      _ = try MeetingID(request.replicaMeetingID)
      guard let primary = request.primary else {
        throw MediaError.malformed(field: "primary", rule: "present")
      }
      let identity = ParticipantIdentity(
        id: try ParticipantID(primary.participantID),
        externalUserID: try ExternalUserID(primary.externalUserID),
        displayName: try DisplayName(wire: primary.displayName))
      let capabilities = try AttendeeCapabilities(primary.capabilities)
      // After another gateway has admitted the session, the former gateway must not change the
      // session.
      guard let session = sessions[id], let meeting = meetings[session.meeting],
        session.contact.gateway == gateway
      else {
        throw MediaError.unknownSession
      }
      guard session.rights.isReplica || session.promotedAs != nil else {
        throw MediaError.notInReplica
      }
      session.promote(
        to: identity,
        MediaRights(
          capabilities: capabilities, isMuted: primary.isMuted,
          isMutedByOperator: primary.isMutedByOperator, isContent: session.rights.isContent))
      meeting.apply(session, at: mediaTime)
      return V1.PromoteMediaReply(term: term)
    }
  }

  func demote(_ request: V1.DemoteRequest, _ call: Call<V1.DemoteReply>) {
    answer(call) {
      let id = try SessionID(wire: request.sessionID)
      let gateway = request.isAnyGateways ? nil : try GatewayName(wire: request.gateway)
      // After another gateway has admitted the session, the former gateway must not change the
      // session.
      if let session = sessions[id], session.promotedAs != nil,
        let meeting = meetings[session.meeting],
        gateway == nil || gateway == session.contact.gateway
      {
        session.demote()
        meeting.apply(session, at: mediaTime)
      }
      return V1.DemoteReply()
    }
  }

  func endMeeting(_ request: V1.EndMeetingRequest, _ call: Call<V1.EndMeetingReply>) {
    answer(call) {
      let id = try MeetingID(request.meetingID)
      if let meeting = meetings[id] {
        for session in Array(meeting.sessions) { remove(session) }
        forget(meeting)
      }
      return V1.EndMeetingReply()
    }
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    answer(call) { V1.Limits() }
  }

  // MARK: Transcription

  func streamTalkers(
    _ request: V1.StreamTalkersRequest, _ stream: ServerStream<V1.TalkerAudio>
  ) {
    attempt(stream) {
      let id = try MeetingID(request.meetingID)
      let feed = TalkerFeed(
        try TalkerFeedSettings(request), onChunks: { stream.send($0) }, onEnd: { stream.end($0) })
      guard let meeting = openMeeting(id) else { throw MediaError.unknownMeeting }
      // The caller opens a stream with the same id again, because the caller's former stream broke.
      // In this service, the former stream may still be open.
      for former in meeting.feeds where former.id == feed.id { former.end(Self.replaced) }
      meeting.feeds.removeAll { $0.id == feed.id }
      meeting.feeds.append(feed)
      let name = feed.id
      stream.onCancel = { [unowned self] in assumeIsolated { $0.removeFeed(name, of: id) } }
    }
  }

  private static let replaced = Status(
    .aborted, "The gateway requested this stream again; read the newer stream.")

  private func removeFeed(_ feed: [UInt8], of id: MeetingID) {
    guard let meeting = meetings[id] else { return }
    meeting.feeds.removeAll { $0.id == feed }
    if meeting.isEmpty { forget(meeting) }
  }

  func grantTalkerCredit(
    _ request: V1.GrantTalkerCreditRequest, _ call: Call<V1.GrantTalkerCreditReply>
  ) {
    answer(call) {
      let meeting = meetings[try MeetingID(request.meetingID)]
      guard let feed = meeting?.feeds.first(where: { $0.id == request.streamID }) else {
        throw MediaError.unknownStream
      }
      try feed.grant(Int(request.credit))
      return V1.GrantTalkerCreditReply()
    }
  }

  // MARK: Operators

  func getStatistics(
    _ request: V1.GetMediaStatisticsRequest, _ call: Call<V1.MediaStatistics>
  ) {
    answer(call) {
      guard let meeting = meetings[try MeetingID(request.meetingID)] else {
        throw MediaError.unknownMeeting
      }
      return V1.MediaStatistics(meeting.statistics, from: configuration.instance)
    }
  }
}
