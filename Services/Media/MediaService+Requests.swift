import Bus
import MeetingModel
import Wire
import ZeroMQ

/// Each method reads its request, changes who may send and get what, and answers.
extension MediaService: MediaServer {
  // MARK: Sessions

  func admit(_ request: V1.AdmitRequest, _ call: Call<V1.AdmitReply>) {
    attempt(call) {
      let admission = try Admission(request)
      hear(admission.gateway, run: admission.gatewayRun, by: call.route)
      if let older = sessions[admission.session], older.meeting != admission.meeting {
        remove(older)
      }
      guard let meeting = openMeeting(admission.meeting) else {
        throw MediaError.unknownMeeting
      }
      let session = meeting.admit(admission, at: mediaTime)
      if session.ticket != admission.ticket || tickets[admission.ticket] == nil {
        tickets[session.ticket] = nil
        if let route = session.route { unbind(route) }
        session.ticket = admission.ticket
        tickets[admission.ticket] = session
      }
      sessions[session.id] = session
      return V1.AdmitReply(
        endpoint: configuration.advertised.text,
        format: meeting.format(for: session), term: term)
    }
  }

  func release(_ request: V1.ReleaseRequest, _ call: Call<V1.ReleaseReply>) {
    attempt(call) {
      let id = try SessionID(wire: request.sessionID)
      // Another gateway has taken the session over: who lost it has no say any more.
      if let session = sessions[id],
        gateways[session.gateway].map({ $0.route == call.route }) ?? true
      {
        remove(session)
      }
      return V1.ReleaseReply()
    }
  }

  /// The session is over: its ticket dies, and a meeting without sessions ends.
  func remove(_ session: MediaSession) {
    sessions[session.id] = nil
    tickets[session.ticket] = nil
    if let route = session.route { unbind(route) }
    guard let meeting = meetings[session.meeting] else { return }
    meeting.remove(session)
    if meeting.isEmpty { forget(meeting) }
  }

  // MARK: Rights

  func setSendRights(
    _ request: V1.SetSendRightsRequest, _ call: Call<V1.SetSendRightsReply>
  ) {
    attempt(call) {
      let id = try MeetingID(request.meetingID)
      let participant = try ParticipantID(request.participantID)
      let change = try RightsChange(request.change)
      guard let meeting = meetings[id] else { return V1.SetSendRightsReply(isKnown: false) }
      let isKnown = meeting.change(change, of: participant, at: mediaTime)
      return V1.SetSendRightsReply(isKnown: isKnown)
    }
  }

  func setVoiceFocus(
    _ request: V1.SetSessionVoiceFocusRequest, _ call: Call<V1.SetVoiceFocusReply>
  ) {
    attempt(call) {
      let id = try SessionID(wire: request.sessionID)
      guard let session = sessions[id], let meeting = meetings[session.meeting] else {
        throw MediaError.unknownSession
      }
      meeting.setVoiceFocus(request.isEnabled, of: session)
      return V1.SetVoiceFocusReply(isEnabled: session.isVoiceFocusEnabled)
    }
  }

  func promote(_ request: V1.PromoteRequest, _ call: Call<V1.PromoteMediaReply>) {
    attempt(call) {
      let id = try SessionID(wire: request.sessionID)
      _ = try MeetingID(request.replicaMeetingID)
      guard let primary = request.primary else {
        throw MediaError.malformed(field: "primary", rule: "present")
      }
      let participant = try ParticipantID(primary.participantID)
      let capabilities = try AttendeeCapabilities(primary.capabilities)
      guard let session = sessions[id], let meeting = meetings[session.meeting] else {
        throw MediaError.unknownSession
      }
      guard session.rights.isReplica || session.promotedAs != nil else {
        throw MediaError.notInReplica
      }
      if session.promotedAs == nil { session.watchingRights = session.rights }
      session.promotedAs = participant
      session.rights.capabilities = capabilities
      session.rights.isMuted = primary.isMuted
      session.rights.isMutedByOperator = primary.isMutedByOperator
      session.rights.isReplica = false
      meeting.apply(session, at: mediaTime)
      return V1.PromoteMediaReply(term: term)
    }
  }

  func demote(_ request: V1.DemoteRequest, _ call: Call<V1.DemoteReply>) {
    attempt(call) {
      let id = try SessionID(wire: request.sessionID)
      if let session = sessions[id], session.promotedAs != nil,
        let meeting = meetings[session.meeting]
      {
        session.promotedAs = nil
        session.rights = session.watchingRights ?? session.rights
        session.rights.isReplica = true
        meeting.apply(session, at: mediaTime)
      }
      return V1.DemoteReply()
    }
  }

  func endMeeting(_ request: V1.EndMeetingRequest, _ call: Call<V1.EndMeetingReply>) {
    attempt(call) {
      let id = try MeetingID(request.meetingID)
      for session in meetings[id]?.sessions ?? [] { remove(session) }
      if let meeting = meetings[id] { forget(meeting) }
      return V1.EndMeetingReply()
    }
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    attempt(call) { V1.Limits() }
  }

  // MARK: Transcription

  func streamTalkers(
    _ request: V1.StreamTalkersRequest, _ stream: ServerStream<V1.TalkerAudio>
  ) {
    do {
      try requireTerm(stream.header.term)
      let id = try MeetingID(request.meetingID)
      let feed = try TalkerFeed(request, stream)
      guard let meeting = openMeeting(id) else { throw MediaError.unknownMeeting }
      // Its caller lost it without a word, and asks for it again.
      for former in meeting.feeds where former.id == feed.id { former.end(Self.replaced) }
      meeting.feeds.removeAll { $0.id == feed.id }
      meeting.feeds.append(feed)
      let name = feed.id
      stream.onCancel = { [unowned self] in assumeIsolated { $0.removeFeed(name, of: id) } }
    } catch {
      stream.end(refusal(error))
    }
  }

  private static let replaced = Status(
    .aborted, "The stream was asked for again; go on with the newer one.")

  private func removeFeed(_ feed: [UInt8], of id: MeetingID) {
    guard let meeting = meetings[id] else { return }
    meeting.feeds.removeAll { $0.id == feed }
    if meeting.isEmpty { forget(meeting) }
  }

  func grantTalkerCredit(
    _ request: V1.GrantTalkerCreditRequest, _ call: Call<V1.GrantTalkerCreditReply>
  ) {
    attempt(call) {
      let meeting = meetings[try MeetingID(request.meetingID)]
      guard let feed = meeting?.feeds.first(where: { $0.id == request.streamID }) else {
        throw MediaError.unknownStream
      }
      try feed.grant(request.credit)
      return V1.GrantTalkerCreditReply()
    }
  }

  // MARK: Gateways

  func gatewayAlive(_ request: V1.GatewayAliveRequest, _ call: Call<V1.GatewayAliveReply>) {
    attempt(call) {
      let gateway = try GatewayName(wire: request.gateway)
      let isNew = hear(gateway, run: request.gatewayRun, by: call.route)
      return V1.GatewayAliveReply(term: term, wantsAnnouncement: isNew)
    }
  }

  /// A gateway spoke.
  ///
  /// - Returns: Whether it was not known: it has to admit its sessions.
  @discardableResult
  private func hear(_ gateway: GatewayName, run: UInt64, by route: Route) -> Bool {
    let now = thread.now
    let known = gateways[gateway].flatMap { $0.run == run ? $0 : nil }
    gateways[gateway] = GatewayContact(
      run: run, since: known?.since ?? now, lastHeard: now, route: route)
    return known == nil
  }

  /// Sessions of gateways that have vanished, or were started anew, have the grace to be admitted again.
  func releaseOrphans() {
    let now = thread.now
    let rules = configuration.rules
    for (name, contact) in gateways
    where now - contact.lastHeard > rules.gatewaySilence + rules.gatewayGrace {
      gateways[name] = nil
    }
    for session in sessions.values {
      let contact = gateways[session.gateway]
      let isOrphan = contact.map {
        $0.run != session.gatewayRun && now - $0.since > rules.gatewayGrace
      }
      if isOrphan ?? true { remove(session) }
    }
  }

  // MARK: Operators

  func getStatistics(
    _ request: V1.GetMediaStatisticsRequest, _ call: Call<V1.MediaStatistics>
  ) {
    attempt(call) {
      guard let meeting = meetings[try MeetingID(request.meetingID)] else {
        throw MediaError.unknownMeeting
      }
      return meeting.statistics(from: configuration.instance)
    }
  }
}

/// A change of what a participant may send, by one authority.
enum RightsChange {
  case muted(Bool)
  case mutedByOperator(Bool)
  case capabilities(AttendeeCapabilities)

  init(_ change: V1.SetSendRightsRequest.Change?) throws {
    switch change {
    case .isMuted(let isMuted): self = .muted(isMuted)
    case .isMutedByOperator(let isMuted): self = .mutedByOperator(isMuted)
    case .capabilities(let capabilities):
      self = .capabilities(try AttendeeCapabilities(capabilities))
    case nil: throw MediaError.malformed(field: "change", rule: "present")
    }
  }
}
