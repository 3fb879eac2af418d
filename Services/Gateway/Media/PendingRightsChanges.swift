import MeetingModel
import Wire

/// Which changes of rights media must still hear: the newest of each kind, for each participant.
///
/// Media that stands still may have many of them before it when it goes on. Those that were
/// overtaken are not told: for a moment they would undo what holds.
struct PendingRightsChanges {
  fileprivate struct Subject: Hashable {
    let participant: ParticipantID
    let meeting: MeetingID
    let kind: Kind
  }

  fileprivate enum Kind: Hashable {
    case mute, operatorMute, capabilities

    init(_ change: V1.SetSendRightsRequest.Change) {
      switch change {
      case .isMuted: self = .mute
      case .isMutedByOperator: self = .operatorMute
      case .capabilities: self = .capabilities
      }
    }
  }

  /// One change that was decided.
  struct Change {
    fileprivate let subject: Subject
    fileprivate let number: UInt64
  }

  private var newest: [Subject: UInt64] = [:]
  private var last: UInt64 = 0

  /// A change was decided.
  mutating func add(
    _ change: V1.SetSendRightsRequest.Change, of participant: ParticipantID, in meeting: MeetingID
  ) -> Change {
    last += 1
    let subject = Subject(participant: participant, meeting: meeting, kind: Kind(change))
    newest[subject] = last
    return Change(subject: subject, number: last)
  }

  /// Whether no newer change of the same kind was decided.
  func isNewest(_ change: Change) -> Bool { newest[change.subject] == change.number }

  /// Media has answered, or is not told any more.
  mutating func remove(_ change: Change) {
    if isNewest(change) { newest[change.subject] = nil }
  }

  /// How many are told at present.
  var count: Int { newest.count }
}
