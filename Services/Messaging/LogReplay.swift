import MeetingModel
import Storage

/// What somebody wants to read again.
struct ReplayQuery: Hashable, Sendable {
  var reader: LogReader

  /// The numbering of ``after``; 0 with 0: from the beginning.
  var epoch: UInt64 = 0

  /// The last message that is there.
  var after: UInt64 = 0

  /// Stop there; 0: at the end.
  var through: UInt64 = 0

  /// Most bytes of messages; one always fits.
  var maxBytes = 1 << 20

  /// Whether nothing is there yet.
  var isFromStart: Bool { epoch == 0 && after == 0 }
}

/// Who reads a log.
enum LogReader: Hashable, Sendable {
  /// A gateway that lost events: it gets all there is, for sessions that were present.
  case gateway
  /// A client's session.
  case session(SessionID, ParticipantID)
}

/// What a reader gets.
struct LogReplay: Hashable, Sendable {
  /// Oldest first, and only what the reader may see.
  var messages: [StoredMessage] = []

  /// The numbering in force.
  var epoch: UInt64

  /// The reader has everything up to here now.
  var through: UInt64

  /// The replay was cut at its most bytes: read on from ``through``.
  var hasMore = false

  /// Nothing that the reader may see is gone. What expired is not gone before its time.
  var isComplete: Bool
}
