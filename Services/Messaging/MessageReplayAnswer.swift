import MeetingModel
import Storage

/// A reader's request for past messages.
struct MessageReplayQuery: Hashable, Sendable {
  var reader: MessageLogReader

  /// The epoch of ``after``. If the epoch and ``after`` are both 0, the reader reads from the
  /// beginning.
  var epoch: UInt64 = 0

  /// The sequence of the last message that the reader has.
  var after: UInt64 = 0

  /// The sequence of the last message to read; 0 for the end of the log.
  var through: UInt64 = 0

  /// The maximum total size of the messages, in bytes. The replay always contains at least one
  /// message.
  var maxBytes = 1 << 20

  /// Whether the reader has no messages yet.
  var isFromStart: Bool { epoch == 0 && after == 0 }
}

/// The reader of a log.
enum MessageLogReader: Hashable, Sendable {
  /// A gateway that lost events. The replay contains all existing messages, because the gateway's
  /// sessions may have been present when these messages arrived.
  case gateway
  /// A client's session.
  case session(SessionID, ParticipantID)
}

/// The answer to a reader.
struct MessageReplayAnswer: Hashable, Sendable {
  /// The messages that the reader may see, oldest first.
  var messages: [StoredMessage] = []

  /// The log's current epoch.
  var epoch: UInt64

  /// The sequence up to which the reader has read the log after this replay.
  var through: UInt64

  /// Whether the replay ends at its size limit. The reader then continues after ``through``.
  var hasMore = false

  /// Whether the replay contains everything that the reader may see.
  ///
  /// Expired messages do not make a replay incomplete.
  var isComplete: Bool
}
