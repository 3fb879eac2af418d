public import MeetingModel

/// A data message as it is kept. Times are milliseconds since 1970-01-01T00:00:00Z.
public struct StoredMessage: Hashable, Sendable {
  /// Its place in the meeting's log: gap-free from 1.
  public var sequence: UInt64

  /// When it was accepted. Never decreases from one place to the next.
  public var acceptedAt: UInt64

  /// How long late joiners get it, in milliseconds. 0: live-only.
  public var lifetime: UInt32

  public var topic: String
  public var data: [UInt8]

  /// `nil`: a service.
  public var sender: MessageSender?

  /// Whom it was addressed to. Empty: everybody.
  public var recipients: [AttendeeID]

  /// By which its sender would repeat it, or empty.
  public var idempotencyKey: String

  public init(
    sequence: UInt64, acceptedAt: UInt64, lifetime: UInt32, topic: String, data: [UInt8],
    sender: MessageSender?, recipients: [AttendeeID] = [], idempotencyKey: String = ""
  ) {
    self.sequence = sequence
    self.acceptedAt = acceptedAt
    self.lifetime = lifetime
    self.topic = topic
    self.data = data
    self.sender = sender
    self.recipients = recipients
    self.idempotencyKey = idempotencyKey
  }
}

/// Who sent a data message, as its receivers are told.
public struct MessageSender: Hashable, Sendable {
  public var id: ParticipantID
  public var externalUserID: ExternalUserID

  public init(id: ParticipantID, externalUserID: ExternalUserID) {
    self.id = id
    self.externalUserID = externalUserID
  }
}

/// A client session that reads a log.
public struct StoredSession: Hashable, Sendable {
  public var id: SessionID
  public var participant: ParticipantID

  /// The last message of the log when the session began: it was present at every later one.
  public var presentAfter: UInt64

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
  public var lastAcceptedAt: UInt64 = 0

  /// Late joiners get nothing up to here: newer messages took the room.
  public var keptAfter: UInt64 = 0

  /// The last place up to which a message was pruned that somebody may still have wanted.
  public var lostThrough: UInt64 = 0

  /// When somebody last sent or began to read.
  public var touchedAt: UInt64

  public init(epoch: UInt64, touchedAt: UInt64) {
    self.epoch = epoch
    self.touchedAt = touchedAt
  }
}

/// A meeting's log as the store has it.
public struct StoredLog: Hashable, Sendable {
  public var state: StoredLogState

  /// Oldest first; those that were pruned are missing.
  public var messages: [StoredMessage]

  public var sessions: [StoredSession]

  public init(state: StoredLogState, messages: [StoredMessage] = [], sessions: [StoredSession] = [])
  {
    self.state = state
    self.messages = messages
    self.sessions = sessions
  }
}

/// All that the store has.
public struct StoredLogs: Hashable, Sendable {
  public var logs: [MeetingID: StoredLog]

  /// Meetings that ended, and when, in milliseconds since 1970-01-01T00:00:00Z.
  public var endings: [MeetingID: UInt64]

  public init(logs: [MeetingID: StoredLog] = [:], endings: [MeetingID: UInt64] = [:]) {
    self.logs = logs
    self.endings = endings
  }
}
