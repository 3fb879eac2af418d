import Bus
import MeetingModel
import Ownership
import Storage
import Wire

extension MessagingService: MessagingServer {
  func sendDataMessage(
    _ request: V1.SendDataMessageRequest, _ call: Call<V1.SendDataMessageReply>
  ) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingIDInPlace)
      let draft = try MessageDraft(
        request, idempotencyKey: call.header.idempotencyKey, rules: configuration.rules)
      if hasLog(of: meeting) { return try append(draft, to: meeting, call) }
      let refused = { [self] in logs.noteRefusal(in: draft.sendingRound, to: meeting) }
      try withLog(of: meeting, call, ifRefused: refused) { [self] in
        try append(draft, to: meeting, call)
      }
    }
  }

  private func append(
    _ draft: MessageDraft, to meeting: MeetingID, _ call: Call<V1.SendDataMessageReply>
  ) throws {
    do throws(MessagingError) {
      try requireRoom()
    } catch {
      logs.noteRefusal(in: draft.sendingRound, to: meeting)
      throw error
    }
    let outcome = try logs.append(draft, to: meeting, at: now)
    metrics.count(outcome)
    let epoch = logs.epoch(of: meeting) ?? 0
    switch outcome {
    case .accepted(let message):
      answerWhenStored(
        SendAnswerAwaitingCommit(call, draft, to: meeting, epoch, at: message, isRepeat: false))
    case .repeated(let place):
      answerWhenStored(
        SendAnswerAwaitingCommit(call, draft, to: meeting, epoch, at: place, isRepeat: true))
    case .throttled(let wait):
      call.reply(V1.SendDataMessageReply(outcome: .throttled(V1.Throttled(retryAfterMs: wait))))
    }
  }

  func join(_ request: V1.JoinMessagesRequest, _ call: Call<V1.MessageReplay>) {
    attempt(call) {
      try requireRoom()
      let meeting = try MeetingID(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      let participant = try ParticipantID(request.participantID)
      let query = MessageReplayQuery(
        reader: .session(session, participant),
        maxBytes: MessageReplayQuery.maxBytes(request.maxBytes))
      try withLog(of: meeting, call) { [self] in
        try logs.join(session, as: participant, in: meeting, at: now)
        note("The session reads the log", of: session, as: participant, in: meeting, call)
        whenStored(of: meeting, orFail: call) { [self] in answer(call, with: query, of: meeting) }
      }
    }
  }

  func replay(_ request: V1.MessageReplayRequest, _ call: Call<V1.MessageReplay>) {
    attempt(call) {
      let meeting = try MeetingID(request.meetingID)
      let query = try MessageReplayQuery(request)
      try withLog(of: meeting, call) { [self] in
        try logs.open(meeting, at: now)
        answer(call, with: query, of: meeting)
      }
    }
  }

  func leave(_ request: V1.LeaveRequest, _ call: Call<V1.LeaveReply>) {
    attempt(call) {
      try requireRoom()
      let meeting = try MeetingID(request.meetingID)
      let session = try SessionID(wire: request.sessionID)
      try withLog(of: meeting, call) { [self] in
        if request.isLost {
          logs.lose(session, in: meeting, at: now)
          return call.reply(V1.LeaveReply())
        }
        logs.leave(session, in: meeting)
        note("The session left the log", of: session, in: meeting, call)
        whenStored(call, of: meeting) { V1.LeaveReply() }
      }
    }
  }

  func endMeeting(_ request: V1.EndMeetingRequest, _ call: Call<V1.EndMeetingReply>) {
    attempt(call) {
      try requireRoom()
      let meeting = try MeetingID(request.meetingID)
      guard ownShare?.contains(meeting) ?? true else { throw OwnershipError.notOwner }
      logs.end(meeting, at: now)
      whenStored(call, of: meeting) { V1.EndMeetingReply() }
    }
  }

  func eraseSender(_ request: V1.EraseSenderRequest, _ call: Call<V1.EraseSenderReply>) {
    attempt(call) {
      let user = try ExternalUserID(request.externalUserID)
      call.perform { [self] in try await erase(user) }
    }
  }

  /// Erases a user's messages.
  ///
  /// The caller ensures that the user sends no more messages. The service first stores the accepted
  /// messages, so that the store contains all messages of the user.
  private func erase(_ user: ExternalUserID) async throws -> V1.EraseSenderReply {
    try await untilStored()
    let found = try await store.places(ofSender: user)
    for (meeting, sequences) in found { logs.erase(sequences, of: meeting) }
    try await untilStored()
    try await store.scrub()
    return V1.EraseSenderReply(messages: UInt64(found.values.reduce(0) { $0 + $1.count }))
  }

  /// Waits until the store has accepted or refused all present changes.
  private func untilStored() async throws(Status) {
    let result: Result<Void, Status> = await withCheckedContinuation { continuation in
      whenStored { continuation.resume(returning: $0) }
    }
    try result.get()
  }

  func getLimits(_ request: V1.GetLimitsRequest, _ call: Call<V1.Limits>) {
    owner.hear(highestTerm: call.header.term)
    attempt(call) {
      let rules = configuration.rules
      call.reply(
        V1.Limits(
          dataMessageBytes: UInt32(clamping: rules.maxDataBytes),
          keptDataMessages: UInt32(clamping: rules.maxKept),
          dataMessageLifetimeMs: rules.maxLifetimeMs,
          dataMessagesPerSecond: UInt32(clamping: rules.rate.perSecond),
          dataMessageBurst: UInt32(clamping: rules.rate.burst),
          resumeSeconds: UInt32(clamping: rules.resumeWindowMs / 1_000)))
    }
  }
}
