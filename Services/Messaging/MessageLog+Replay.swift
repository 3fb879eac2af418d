import MeetingModel
import Storage

extension MessageLog {
  /// Begins to put together what a reader missed: of what is stored, what it may see.
  ///
  /// A session that was present when a message came gets it within the resume window, a live-only
  /// one too, but none whose lifetime is over. For messages from before it began, and when it is
  /// not known, it is a late joiner: it gets what is kept. Nobody gets its own messages, or those
  /// addressed to others. A gateway gets all there is, also what has expired: it lost events that
  /// its sessions were present for, and knows from their headers who may see them.
  func beginReplay(_ query: ReplayQuery) -> ReplayUnderWay {
    let isSameNumbering = query.isFromStart || query.epoch == state.epoch
    let after = isSameNumbering ? min(query.after, storedSequence) : 0
    let end = max(after, min(query.through == 0 ? .max : query.through, storedSequence))
    let viewer = Viewer(query.reader, in: self)
    let isWhole = isSameNumbering && query.after <= storedSequence
    return ReplayUnderWay(
      query: query, viewer: viewer, end: end, position: after,
      isJudged: viewer.isGateway || viewer.presentAfter != nil || !query.isFromStart,
      replay: LogReplay(epoch: state.epoch, through: end, isComplete: isWhole))
  }

  /// Goes on with a replay as far as the messages that it needs are there.
  ///
  /// What the reader may see is decided as each message is come to. What was pruned before that
  /// and may have been wanted is lost to the reader.
  ///
  /// - Parameter page: What the store had of what the step before asked for.
  func advance(
    _ underWay: inout ReplayUnderWay, with page: StoredPage? = nil, at now: UInt64
  ) -> ReplayStep {
    let viewer = underWay.viewer
    if state.lostThrough > max(underWay.position, viewer.presentAfter ?? 0) {
      underWay.isLacking = true
    }
    for place in places[firstIndex(after: underWay.position)..<firstIndex(after: underWay.end)] {
      guard viewer.mayConcern(place, in: self, isJudged: underWay.isJudged, at: now) else {
        underWay.position = place.sequence
        continue
      }
      if let message = page?.messages.at(place.sequence) ?? recent.messages.at(place.sequence) {
        guard underWay.take(message, viewer.sight(of: message, as: place, in: self)) else { break }
      } else if let page, page.through >= place.sequence {
        underWay.isLacking = true
      } else {
        return .read(after: place.sequence - 1, through: lastOld(through: underWay.end))
      }
      underWay.position = place.sequence
    }
    return .finished(underWay.finished)
  }

  /// The last message up to a sequence that is not here whole.
  private func lastOld(through end: UInt64) -> UInt64 {
    min(end, (recent.messages.first?.sequence).map { $0 - 1 } ?? .max)
  }
}

/// A replay that is being put together. What is old is read from the store, in pages, and the log
/// goes on meanwhile.
struct ReplayUnderWay: Sendable {
  let query: ReplayQuery
  fileprivate let viewer: Viewer

  /// The last message that it can have.
  fileprivate let end: UInt64

  /// The last message that was come to.
  fileprivate var position: UInt64

  /// Whether it matters if something is gone: a late joiner that begins misses nothing.
  fileprivate let isJudged: Bool
  fileprivate var replay: LogReplay
  fileprivate var bytes = 0

  /// Something is gone, or was not for sure the reader's.
  fileprivate var isLacking = false

  /// The numbering that it is about.
  var epoch: UInt64 { replay.epoch }

  /// - Returns: False when there is no room for it.
  fileprivate mutating func take(_ message: StoredMessage, _ sight: Viewer.Sight) -> Bool {
    switch sight {
    case .none: return true
    case .missed: isLacking = true
    case .shown:
      bytes += message.replaySize
      guard bytes <= query.maxBytes || replay.messages.isEmpty else {
        replay.hasMore = true
        replay.through = message.sequence - 1
        return false
      }
      replay.messages.append(message)
    }
    return true
  }

  fileprivate var finished: LogReplay {
    var replay = replay
    replay.isComplete = !isJudged || replay.isComplete && !isLacking
    return replay
  }
}

/// How a replay goes on.
enum ReplayStep: Hashable, Sendable {
  case finished(LogReplay)
  /// First what the store has behind the one message, through the other.
  case read(after: UInt64, through: UInt64)
}

/// A reader's view of a log.
private struct Viewer {
  /// `nil`: a gateway.
  let participant: ParticipantID?

  /// The last message before the session began. `nil`: not known, or a gateway.
  let presentAfter: UInt64?

  var isGateway: Bool { participant == nil }

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

  /// Whether the message must be looked at whole.
  func mayConcern(
    _ place: MessagePlace, in log: MessageLog, isJudged: Bool, at now: UInt64
  ) -> Bool {
    guard !isGateway else { return true }
    guard !place.hasExpired(at: now) else { return false }
    if wasPresent(at: place) || log.isKept(place) { return true }
    return presentAfter == nil && isJudged
  }

  /// - Parameter place: That of the message, which may concern the reader.
  func sight(of message: StoredMessage, as place: MessagePlace, in log: MessageLog) -> Sight {
    guard let participant else { return .shown }
    guard message.isFor(participant) else { return .none }
    return wasPresent(at: place) || log.isKept(place) ? .shown : .missed
  }

  private func wasPresent(at place: MessagePlace) -> Bool {
    presentAfter.map { place.sequence > $0 } ?? false
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
    let name = sender?.displayName?.text.utf8.count ?? 0
    let sender = 3 * 50 + (sender?.externalUserID.text.utf8.count ?? 0) + name
    return 256 + topic.utf8.count + data.count + sender + 2 * 38 * recipients.count
  }
}
