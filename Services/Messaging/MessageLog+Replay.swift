import MeetingModel
import Storage

extension MessageLog {
  /// Begins a replay of the stored messages that a reader missed and may see.
  ///
  /// Of the messages in the resume window, a session gets those that arrived while the session was
  /// present. These messages include live-only messages, but no expired messages. For messages from
  /// before the session's join, the log treats the session as a late joiner, and the session gets
  /// only the messages for late joiners. If the log does not know when the session joined, the log
  /// treats the session as a late joiner for all messages. No session gets its own messages, or
  /// messages to other recipients. A gateway gets all existing messages, including expired
  /// messages: the gateway's sessions were present when the messages arrived, and the headers
  /// contain the permitted readers.
  func beginReplay(_ query: MessageReplayQuery) -> ActiveReplay {
    let isSameNumbering = query.isFromStart || query.epoch == state.epoch
    let after = isSameNumbering ? min(query.after, storedSequence) : 0
    let end = max(after, min(query.through == 0 ? .max : query.through, storedSequence))
    let viewer = MessageReaderView(query.reader, in: self)
    let isWhole = isSameNumbering && query.after <= storedSequence
    return ActiveReplay(
      query: query, viewer: viewer, end: end, position: after,
      isJudged: viewer.isGateway || viewer.presentAfter != nil || !query.isFromStart,
      replay: MessageReplayAnswer(epoch: state.epoch, through: end, isComplete: isWhole))
  }

  /// Continues a replay until the end, or until the replay needs a message that is not in memory.
  ///
  /// The method checks for each message whether the reader may see it. If the log pruned a message
  /// before the check, and the message may have been for the reader, the replay is incomplete.
  ///
  /// - Parameter page: The page that the store returned for the previous step.
  func advance(
    _ underWay: inout ActiveReplay, with page: StoredPage? = nil, at now: UInt64
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

  /// Returns the highest sequence, up to `end`, of a message that is not in memory.
  private func lastOld(through end: UInt64) -> UInt64 {
    min(end, (recent.messages.first?.sequence).map { $0 - 1 } ?? .max)
  }
}

/// A replay in progress.
///
/// It reads old messages from the store, in pages, while the log continues to change.
struct ActiveReplay: Sendable {
  let query: MessageReplayQuery
  fileprivate let viewer: MessageReaderView

  /// The sequence of the last message that the replay may include.
  fileprivate let end: UInt64

  /// The sequence of the last processed message.
  fileprivate var position: UInt64

  /// Whether missing messages make the replay incomplete; `false` for a new late joiner.
  fileprivate let isJudged: Bool
  fileprivate var replay: MessageReplayAnswer
  fileprivate var bytes = 0

  /// Whether the replay lacks a message that was, or may have been, for the reader.
  fileprivate var isLacking = false

  /// The epoch of the replayed messages.
  var epoch: UInt64 { replay.epoch }

  /// Adds a message, if the reader may see it.
  ///
  /// - Returns: `false` if the replay is full.
  fileprivate mutating func take(_ message: StoredMessage, _ sight: MessageReaderView.Sight) -> Bool
  {
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

  fileprivate var finished: MessageReplayAnswer {
    var replay = replay
    replay.isComplete = !isJudged || replay.isComplete && !isLacking
    return replay
  }
}

/// The next step of a replay.
enum ReplayStep: Hashable, Sendable {
  case finished(MessageReplayAnswer)
  /// Read a page from the store: the messages after one sequence, up to and including another
  /// sequence.
  case read(after: UInt64, through: UInt64)
}

/// A reader's view of a log.
private struct MessageReaderView {
  /// The reader's participant; `nil` for a gateway.
  let participant: ParticipantID?

  /// The sequence of the last message before the session began; `nil` if this sequence is unknown,
  /// or if the reader is a gateway.
  let presentAfter: UInt64?

  var isGateway: Bool { participant == nil }

  /// Whether a reader may see a message.
  enum Sight {
    case shown
    /// The log does not know whether the reader was present when the message arrived. Only a reader
    /// that was present may see the message.
    case missed
    /// The message is not for the reader.
    case none
  }

  init(_ reader: MessageLogReader, in log: MessageLog) {
    switch reader {
    case .gateway:
      (participant, presentAfter) = (nil, nil)
    case .session(let id, let participant):
      self.participant = participant
      let session = log.sessions[id]
      presentAfter = session?.participant == participant ? session?.presentAfter : nil
    }
  }

  /// Returns whether the replay must examine the whole message.
  func mayConcern(
    _ place: StoredMessageSummary, in log: MessageLog, isJudged: Bool, at now: UInt64
  ) -> Bool {
    guard !isGateway else { return true }
    guard !place.hasExpired(at: now) else { return false }
    if wasPresent(at: place) || log.isKept(place) { return true }
    return presentAfter == nil && isJudged
  }

  /// Returns whether the reader may see a message.
  ///
  /// - Parameter place: The place of the message. ``mayConcern(_:in:isJudged:at:)`` returned true
  ///   for this place.
  func sight(of message: StoredMessage, as place: StoredMessageSummary, in log: MessageLog) -> Sight
  {
    guard let participant else { return .shown }
    guard message.isFor(participant) else { return .none }
    return wasPresent(at: place) || log.isKept(place) ? .shown : .missed
  }

  private func wasPresent(at place: StoredMessageSummary) -> Bool {
    presentAfter.map { place.sequence > $0 } ?? false
  }
}

extension StoredMessage {
  /// Returns whether a participant may see the message: the participant is a recipient, and not the
  /// sender.
  func isFor(_ participant: ParticipantID) -> Bool {
    guard sender?.id != participant else { return false }
    return recipients.isEmpty
      || participant.modality == nil && recipients.contains(participant.attendee)
  }

  /// The maximum size of the message as an encoded event, in bytes.
  var replaySize: Int {
    let name = sender?.displayName?.text.utf8.count ?? 0
    let sender = 3 * 50 + (sender?.externalUserID.text.utf8.count ?? 0) + name
    return 256 + topic.utf8.count + data.count + sender + 2 * 38 * recipients.count
  }
}
