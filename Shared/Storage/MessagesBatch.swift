public import MeetingModel

/// Changes of logs that become durable together.
public struct MessagesBatch: Hashable, Sendable {
  /// Meetings that ended, and when: their logs go, and that they ended is remembered. Milliseconds
  /// since 1970-01-01T00:00:00Z.
  public var ended: [MeetingID: UInt64] = [:]

  /// Meetings whose logs, or whose ends, are remembered no longer.
  public var forgotten: Set<MeetingID> = []

  /// What changes in each log, after the above.
  public var changes: [MeetingID: LogChange] = [:]

  /// Makes a batch that changes nothing.
  public init() {}

  /// Whether nothing would change.
  public var isEmpty: Bool { ended.isEmpty && forgotten.isEmpty && changes.isEmpty }
}

/// What changes in one log.
public struct LogChange: Hashable, Sendable {
  /// Its last message before, which guards against a second writer; 0 for a new log.
  public var previousSequence: UInt64

  /// Its state afterwards.
  public var state: StoredLogState

  /// New messages: consecutive, behind ``previousSequence``.
  public var appended: [StoredMessage] = []

  /// The places of messages that go, ascending.
  public var pruned: [UInt64] = []

  /// Sessions that began, or began anew.
  public var joined: [StoredSession] = []

  /// Sessions that are over; one of them may be in ``joined`` too.
  public var left: [SessionID] = []

  /// Makes a change of the state alone.
  public init(previousSequence: UInt64, state: StoredLogState) {
    self.previousSequence = previousSequence
    self.state = state
  }
}

/// What an owner that claims a meeting's log finds.
public enum ClaimedLog: Hashable, Sendable {
  /// The log, under a new term. Changes under earlier ones are refused from here on.
  case held(StoredLog)
  /// The meeting ended then, in milliseconds since 1970-01-01T00:00:00Z.
  case ended(UInt64)
}

/// A log that does not take its change, because it is not as it was left, or another owner has
/// claimed it.
public struct RefusedLog: Error, Sendable {
  /// The meeting whose log it is.
  public let meeting: MeetingID

  /// What is wrong, for the operator's log.
  public let cause: String

  /// The log as the store has it; `nil`: it has none.
  public internal(set) var found: StoredLog?
}
