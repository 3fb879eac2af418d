import MeetingModel
import Storage

/// A reader's request for past messages.
struct ReplayQuery: Hashable, Sendable {
  var reader: LogReader

  /// The epoch of ``after``; both are 0 to read from the beginning.
  var epoch: UInt64 = 0

  /// The last message that the reader has.
  var after: UInt64 = 0

  /// The last message to read; 0 for the end of the log.
  var through: UInt64 = 0

  /// The maximum total size of the messages, in bytes; a single message is always returned.
  var maxBytes = 1 << 20

  /// Whether the reader has nothing yet.
  var isFromStart: Bool { epoch == 0 && after == 0 }
}

/// The reader of a log.
enum LogReader: Hashable, Sendable {
  /// A gateway that lost events; it gets all messages that exist, for sessions that were present.
  case gateway
  /// A client's session.
  case session(SessionID, ParticipantID)
}

/// The answer to a reader.
struct LogReplay: Hashable, Sendable {
  /// The messages that the reader may see, oldest first.
  var messages: [StoredMessage] = []

  /// The log's current epoch.
  var epoch: UInt64

  /// The last message that the reader now has.
  var through: UInt64

  /// Whether the replay was cut at its size limit; the reader continues after ``through``.
  var hasMore = false

  /// Whether nothing that the reader may see is missing.
  ///
  /// Messages that expired do not count as missing.
  var isComplete: Bool
}
