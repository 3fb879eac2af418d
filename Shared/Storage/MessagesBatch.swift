public import MeetingModel

/// Changes of several logs. The store makes all of these changes durable together.
public struct MessagesBatch: Hashable, Sendable {
  /// Ended meetings, each with the time of its end in milliseconds since 1970-01-01T00:00:00Z.
  ///
  /// The store deletes the logs of these meetings, and stores the times of their ends.
  public var ended: [MeetingID: UInt64] = [:]

  /// Meetings for which the store deletes the log, or the stored time of the meeting's end.
  public var forgotten: Set<MeetingID> = []

  /// The changes of each log. The store applies these changes after ``ended`` and ``forgotten``.
  public var changes: [MeetingID: LogChange] = [:]

  /// Creates an empty batch.
  public init() {}

  /// Whether the batch changes nothing.
  public var isEmpty: Bool { ended.isEmpty && forgotten.isEmpty && changes.isEmpty }
}

/// The changes of one log.
public struct LogChange: Hashable, Sendable {
  /// The sequence of the log's last message before the change; 0 for a new log. With this sequence,
  /// the store detects a second writer.
  public var previousSequence: UInt64

  /// The log's state after the change.
  public var state: StoredLogState

  /// New messages with consecutive sequences after ``previousSequence``.
  public var appended: [StoredMessage] = []

  /// The sequences of messages to delete, ascending.
  public var pruned: [UInt64] = []

  /// Sessions that started or restarted.
  public var joined: [StoredLogReader] = []

  /// Sessions that ended. A session may be both here and in ``joined``.
  public var left: [SessionID] = []

  /// Creates a change of the state alone.
  public init(previousSequence: UInt64, state: StoredLogState) {
    self.previousSequence = previousSequence
    self.state = state
  }
}

/// The result of claiming a meeting's log.
public enum LogClaimResult: Hashable, Sendable {
  /// The log under a new term. From now on, the store rejects the changes of earlier owners.
  case held(StoredLog)
  /// The time at which the meeting ended, in milliseconds since 1970-01-01T00:00:00Z.
  case ended(UInt64)
}

/// The error for a change that a log rejected, because the log's state differs from the expected
/// state, or because another owner has claimed the log.
public struct RejectedLogChange: Error, Sendable {
  /// The meeting of the log.
  public let meeting: MeetingID

  /// The fault, for the operator's log.
  public let cause: String

  /// The log in the store; `nil` if the store has no such log.
  public internal(set) var found: StoredLog?
}
