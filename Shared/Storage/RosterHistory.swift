public import MeetingModel

/// Consecutive events of a meeting's roster, as far as they tell who came and went.
public struct RosterHistory: Hashable, Sendable {
  /// Whose roster it is.
  public var meeting: MeetingID

  /// Which numbering the sequences are of.
  public var epoch: UInt64

  /// The events that were looked through.
  public var sequences: ClosedRange<UInt64>

  /// In order.
  public var changes: [Change]

  /// Somebody came or went.
  public struct Change: Hashable, Sendable {
    /// The event that told of it.
    public var sequence: UInt64
    /// Whom it tells of.
    public var who: ParticipantIdentity

    /// `nil`: it came.
    public var departure: DepartureReason?

    /// Milliseconds since 1970-01-01T00:00:00Z.
    public var at: Int64

    /// Puts together what was told.
    public init(
      sequence: UInt64, who: ParticipantIdentity, departure: DepartureReason? = nil, at: Int64
    ) {
      (self.sequence, self.who, self.departure, self.at) = (sequence, who, departure, at)
    }
  }

  /// Puts together what was told.
  public init(
    of meeting: MeetingID, epoch: UInt64, sequences: ClosedRange<UInt64>, changes: [Change]
  ) {
    self.meeting = meeting
    self.epoch = epoch
    self.sequences = sequences
    self.changes = changes
  }
}

/// Who is in a meeting, as of a place in its roster's stream.
public struct RosterState: Hashable, Sendable {
  /// Whose roster it is.
  public var meeting: MeetingID
  /// The numbering of the place.
  public var epoch: UInt64
  /// The last event that is contained.
  public var sequence: UInt64

  /// Everybody, and since when, in milliseconds since 1970-01-01T00:00:00Z.
  public var present: [(who: ParticipantIdentity, since: Int64)] {
    people.map { ($0.who, $0.since) }
  }

  private let people: [Person]

  private struct Person: Hashable, Sendable {
    let who: ParticipantIdentity
    let since: Int64
  }

  /// Puts together what was told.
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

/// How far the record of a meeting's roster has come.
public struct RosterPlace: Hashable, Sendable {
  /// `nil`: nothing is recorded yet.
  public var epoch: UInt64?
  /// The last event that is recorded.
  public var sequence: UInt64

  /// Puts together what was told.
  public init(epoch: UInt64?, sequence: UInt64) {
    (self.epoch, self.sequence) = (epoch, sequence)
  }
}
