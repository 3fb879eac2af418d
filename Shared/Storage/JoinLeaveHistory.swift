public import MeetingModel

/// Consecutive events of a meeting's roster, reduced to joins and leaves.
public struct JoinLeaveHistory: Hashable, Sendable {
  /// The meeting of the roster.
  public var meeting: MeetingID

  /// The epoch of the sequences.
  public var epoch: UInt64

  /// The sequences of the examined events.
  public var sequences: ClosedRange<UInt64>

  /// The changes, in order.
  public var changes: [Change]

  /// A join or a leave.
  public struct Change: Hashable, Sendable {
    /// The sequence of the event.
    public var sequence: UInt64
    /// The participant.
    public var who: ParticipantIdentity

    /// The reason for a leave; `nil` for a join.
    public var departure: DepartureReason?

    /// The time of the join or leave, in milliseconds since 1970-01-01T00:00:00Z.
    public var at: Int64

    /// Creates a change.
    public init(
      sequence: UInt64, who: ParticipantIdentity, departure: DepartureReason? = nil, at: Int64
    ) {
      (self.sequence, self.who, self.departure, self.at) = (sequence, who, departure, at)
    }
  }

  /// Creates a history.
  public init(
    of meeting: MeetingID, epoch: UInt64, sequences: ClosedRange<UInt64>, changes: [Change]
  ) {
    self.meeting = meeting
    self.epoch = epoch
    self.sequences = sequences
    self.changes = changes
  }
}

/// The participants of a meeting at a position in its roster's stream.
public struct RosterState: Hashable, Sendable {
  /// The meeting of the roster.
  public var meeting: MeetingID
  /// The epoch of the position.
  public var epoch: UInt64
  /// The sequence of the last included event.
  public var sequence: UInt64

  /// All participants with the times at which they joined, in milliseconds since
  /// 1970-01-01T00:00:00Z.
  public var present: [(who: ParticipantIdentity, since: Int64)] {
    people.map { ($0.who, $0.since) }
  }

  private let people: [Person]

  private struct Person: Hashable, Sendable {
    let who: ParticipantIdentity
    let since: Int64
  }

  /// Creates a state.
  public init(
    of meeting: MeetingID, epoch: UInt64, sequence: UInt64,
    present: [(who: ParticipantIdentity, since: Int64)]
  ) {
    self.meeting = meeting
    self.epoch = epoch
    self.sequence = sequence
    people = present.map { Person(who: $0.who, since: $0.since) }
  }
}

/// The recorded position in a meeting's roster.
public struct RosterPosition: Hashable, Sendable {
  /// The epoch; `nil` if the store has recorded nothing yet.
  public var epoch: UInt64?
  /// The sequence of the last recorded event.
  public var sequence: UInt64

  /// Creates a position.
  public init(epoch: UInt64?, sequence: UInt64) {
    (self.epoch, self.sequence) = (epoch, sequence)
  }
}
