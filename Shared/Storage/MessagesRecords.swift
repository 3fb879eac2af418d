public import MeetingModel

/// A stored data message. Times are milliseconds since 1970-01-01T00:00:00Z.
public struct StoredMessage: Hashable, Sendable {
  /// The sequence in the meeting's log. Sequences start at 1 and have no gaps.
  public var sequence: UInt64

  /// The time of acceptance, which never decreases within a log.
  public var acceptedAtMs: UInt64

  /// How long late joiners receive the message, in milliseconds; 0 for live delivery only.
  public var lifetimeMs: UInt32

  /// The topic of the message.
  public var topic: String

  /// The payload, up to 2048 arbitrary bytes.
  public var data: [UInt8]

  /// The identity that receivers see as the sender; `nil` for a service.
  public var sender: ParticipantIdentity?

  /// The attendees who receive the message; an empty list means everybody.
  public var recipients: [AttendeeID]

  /// The idempotency key that the sender repeats on a retry, or an empty text.
  public var idempotencyKey: String

  /// Creates the record of a message.
  public init(
    sequence: UInt64, acceptedAtMs: UInt64, lifetimeMs: UInt32, topic: String, data: [UInt8],
    sender: ParticipantIdentity?, recipients: [AttendeeID] = [], idempotencyKey: String = ""
  ) {
    self.sequence = sequence
    self.acceptedAtMs = acceptedAtMs
    self.lifetimeMs = lifetimeMs
    self.topic = topic
    self.data = data
    self.sender = sender
    self.recipients = recipients
    self.idempotencyKey = idempotencyKey
  }
}

/// A client session that reads a log.
public struct StoredLogReader: Hashable, Sendable {
  /// The session's id.
  public var id: SessionID

  /// The participant of the session.
  public var participant: ParticipantID

  /// The last sequence of the log when the session began. The session receives every later message.
  public var presentAfter: UInt64

  /// Creates the record of a session.
  public init(id: SessionID, participant: ParticipantID, presentAfter: UInt64) {
    self.id = id
    self.participant = participant
    self.presentAfter = presentAfter
  }
}

/// The state of a log except its messages. Times are milliseconds since 1970-01-01T00:00:00Z.
public struct StoredLogState: Hashable, Sendable {
  /// The epoch, which distinguishes this numbering from every other numbering of the meeting.
  public var epoch: UInt64

  /// The sequence of the last message; 0 before the first message.
  public var lastSequence: UInt64 = 0

  /// The time at which the owner accepted the last message; 0 before the first message.
  public var lastAcceptedAtMs: UInt64 = 0

  /// The highest sequence that late joiners no longer receive, because newer messages took the
  /// space.
  public var keptAfter: UInt64 = 0

  /// The sequence of the last message that the owner removed although a session may still have
  /// needed the message.
  public var lostThrough: UInt64 = 0

  /// The last time at which a session sent or began to read.
  public var touchedAtMs: UInt64

  /// A number that rises with each owner that claims the log. By this number, the store rejects the
  /// changes of earlier owners.
  ///
  /// The number is 0 until an owner has claimed the log.
  public var term: UInt64 = 0

  /// Creates the state of a log without messages.
  public init(epoch: UInt64, touchedAtMs: UInt64) {
    self.epoch = epoch
    self.touchedAtMs = touchedAtMs
  }
}

/// A meeting's log in the store.
public struct StoredLog: Hashable, Sendable {
  /// The state of the log except its messages.
  public var state: StoredLogState

  /// The messages, oldest first, without pruned messages.
  public var messages: [StoredMessage]

  /// The sessions that read the log, in no particular order.
  public var sessions: [StoredLogReader]

  /// Creates a log.
  public init(
    state: StoredLogState, messages: [StoredMessage] = [], sessions: [StoredLogReader] = []
  ) {
    self.state = state
    self.messages = messages
    self.sessions = sessions
  }
}

/// The content of the store.
public struct StoredLogs: Hashable, Sendable {
  /// The logs of meetings that have not ended.
  public var logs: [MeetingID: StoredLog]

  /// Ended meetings, each with the time of its end in milliseconds since 1970-01-01T00:00:00Z.
  public var endings: [MeetingID: UInt64]

  /// Creates the content of a store.
  public init(logs: [MeetingID: StoredLog] = [:], endings: [MeetingID: UInt64] = [:]) {
    self.logs = logs
    self.endings = endings
  }
}

/// A page of a log in the store.
public struct StoredPage: Hashable, Sendable {
  /// The messages, oldest first, without pruned messages.
  public var messages: [StoredMessage]

  /// The sequence up to which the page is complete, except for pruned messages.
  public var through: UInt64

  /// Creates a page.
  public init(messages: [StoredMessage], through: UInt64) {
    self.messages = messages
    self.through = through
  }
}
