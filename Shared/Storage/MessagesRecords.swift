public import MeetingModel

/// A data message as it is kept. Times are milliseconds since 1970-01-01T00:00:00Z.
public struct StoredMessage: Hashable, Sendable {
  /// Its place in the meeting's log: gap-free from 1.
  public var sequence: UInt64

  /// When it was accepted. Never decreases from one place to the next.
  public var acceptedAtMs: UInt64

  /// How long late joiners get it, in milliseconds. 0: live-only.
  public var lifetimeMs: UInt32

  /// The subject under which it was sent.
  public var topic: String

  /// The payload, up to 2048 bytes of any kind.
  public var data: [UInt8]

  /// Who sent it, as its receivers are told; `nil` for a service.
  public var sender: ParticipantIdentity?

  /// The attendees it was addressed to; an empty list means everybody.
  public var recipients: [AttendeeID]

  /// The key under which its sender would repeat it, or an empty text.
  public var idempotencyKey: String

  /// Makes the record of a message.
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
public struct StoredSession: Hashable, Sendable {
  /// Names the session.
  public var id: SessionID

  /// Whose session it is.
  public var participant: ParticipantID

  /// The last message of the log when the session began: it was present at every later one.
  public var presentAfter: UInt64

  /// Makes the record of a session.
  public init(id: SessionID, participant: ParticipantID, presentAfter: UInt64) {
    self.id = id
    self.participant = participant
    self.presentAfter = presentAfter
  }
}

/// What is known of a log beside its messages. Times are milliseconds since 1970-01-01T00:00:00Z.
public struct StoredLogState: Hashable, Sendable {
  /// Tells this numbering from any other that the meeting may ever have.
  public var epoch: UInt64

  /// The place of the last message; 0 before the first.
  public var lastSequence: UInt64 = 0

  /// When the last message was accepted; 0 before the first.
  public var lastAcceptedAtMs: UInt64 = 0

  /// Late joiners get nothing up to here: newer messages took the room.
  public var keptAfter: UInt64 = 0

  /// The last place up to which a message was pruned that somebody may still have wanted.
  public var lostThrough: UInt64 = 0

  /// When somebody last sent or began to read.
  public var touchedAtMs: UInt64

  /// Rises with each owner that claims the log: what a former one changes is refused. 0: nobody has
  /// claimed it.
  public var term: UInt64 = 0

  /// The state of a log without messages.
  public init(epoch: UInt64, touchedAtMs: UInt64) {
    self.epoch = epoch
    self.touchedAtMs = touchedAtMs
  }
}

/// A meeting's log as the store has it.
public struct StoredLog: Hashable, Sendable {
  /// What is known beside the messages.
  public var state: StoredLogState

  /// Oldest first; those that were pruned are missing.
  public var messages: [StoredMessage]

  /// The sessions that read the log, in no particular order.
  public var sessions: [StoredSession]

  /// Makes a log as the store would.
  public init(state: StoredLogState, messages: [StoredMessage] = [], sessions: [StoredSession] = [])
  {
    self.state = state
    self.messages = messages
    self.sessions = sessions
  }
}

/// All that the store has.
public struct StoredLogs: Hashable, Sendable {
  /// The logs of meetings that have not ended.
  public var logs: [MeetingID: StoredLog]

  /// Meetings that ended, and when, in milliseconds since 1970-01-01T00:00:00Z.
  public var endings: [MeetingID: UInt64]

  /// Makes the content of a store.
  public init(logs: [MeetingID: StoredLog] = [:], endings: [MeetingID: UInt64] = [:]) {
    self.logs = logs
    self.endings = endings
  }
}

/// A part of a log as the store has it.
public struct StoredPage: Hashable, Sendable {
  /// Oldest first; those that were pruned are missing.
  public var messages: [StoredMessage]

  /// The page has all up to here that is not pruned.
  public var through: UInt64

  /// Makes a page as the store would.
  public init(messages: [StoredMessage], through: UInt64) {
    self.messages = messages
    self.through = through
  }
}
