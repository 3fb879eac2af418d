import MeetingModel
import Storage

extension MessageLog {
  /// What a reader missed: of what is stored, what it may see.
  ///
  /// A session that was present when a message came gets it within the resume window, a live-only
  /// one too, but none whose lifetime is over. For messages from before it began, and when it is
  /// not known, it is a late joiner: it gets what is kept. Nobody gets its own messages, or those
  /// addressed to others. A gateway gets all there is, also what has expired: it lost events that
  /// its sessions were present for, and knows from their headers who may see them.
  func replay(_ query: ReplayQuery, at now: UInt64) -> LogReplay {
    let isFromStart = query.epoch == 0 && query.after == 0
    let isSameNumbering = isFromStart || query.epoch == state.epoch
    let after = isSameNumbering ? min(query.after, storedSequence) : 0
    let end = max(after, min(query.through == 0 ? .max : query.through, storedSequence))
    let viewer = Viewer(query.reader, in: self)
    var replay = LogReplay(epoch: state.epoch, through: end, isComplete: true)
    var bytes = 0
    var isMissing = false
    for message in messages[firstIndex(after: after)..<firstIndex(after: end)] {
      switch viewer.sight(of: message, in: self, at: now) {
      case .none: continue
      case .missed: isMissing = true
      case .shown:
        bytes += message.replaySize
        guard bytes <= query.maxBytes || replay.messages.isEmpty else {
          replay.hasMore = true
          replay.through = message.sequence - 1
          break
        }
        replay.messages.append(message)
      }
      if replay.hasMore { break }
    }
    let isLost = state.lostThrough > max(after, viewer.presentAfter ?? 0)
    replay.isComplete =
      switch query.reader {
      case .session where viewer.presentAfter == nil && isFromStart: true
      case .session, .gateway:
        isSameNumbering && query.after <= storedSequence && !isLost && !isMissing
      }
    return replay
  }
}

/// A reader's view of a log.
private struct Viewer {
  /// `nil`: a gateway.
  let participant: ParticipantID?

  /// The last message before the session began. `nil`: not known, or a gateway.
  let presentAfter: UInt64?

  /// What a reader has of a message.
  enum Sight {
    case shown
    /// It would be shown if it were known that the reader was present.
    case missed
    /// It does not concern the reader.
    case none
  }

  init(_ reader: LogReader, in log: MessageLog) {
    switch reader {
    case .gateway:
      (participant, presentAfter) = (nil, nil)
    case .session(let id, let participant):
      self.participant = participant
      let session = log.sessions[id]
      presentAfter = session?.participant == participant ? session?.presentAfter : nil
    }
  }

  func sight(of message: StoredMessage, in log: MessageLog, at now: UInt64) -> Sight {
    guard let participant else { return .shown }
    guard message.isFor(participant), !message.hasExpired(at: now) else { return .none }
    if let presentAfter, message.sequence > presentAfter { return .shown }
    if log.isKept(message) { return .shown }
    return presentAfter == nil ? .missed : .none
  }
}

extension StoredMessage {
  /// Whether a participant may see it: not its sender, and only whom it is addressed to.
  func isFor(_ participant: ParticipantID) -> Bool {
    guard sender?.id != participant else { return false }
    return recipients.isEmpty
      || participant.modality == nil && recipients.contains(participant.attendee)
  }

  /// Bytes that it takes as a packed event, at most.
  var replaySize: Int {
    let sender = 3 * 50 + (sender?.externalUserID.text.utf8.count ?? 0)
    return 256 + topic.utf8.count + data.count + sender + 2 * 38 * recipients.count
  }
}
