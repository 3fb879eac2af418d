import MeetingModel
import Wire

/// The changes of rights for which the gateway has no answer of `media` yet. For each participant,
/// the type keeps the newest change of each kind.
///
/// When `media` resumes after a stall, many changes may be pending. The gateway sends only the
/// newest change of each kind, because an older change would briefly undo the newest change.
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

  /// One change of a right.
  struct Change {
    fileprivate let subject: Subject
    fileprivate let number: UInt64
  }

  private var newest: [Subject: UInt64] = [:]
  private var last: UInt64 = 0

  /// Adds a change.
  mutating func add(
    _ change: V1.SetSendRightsRequest.Change, of participant: ParticipantID, in meeting: MeetingID
  ) -> Change {
    last += 1
    let subject = Subject(participant: participant, meeting: meeting, kind: Kind(change))
    newest[subject] = last
    return Change(subject: subject, number: last)
  }

  /// Returns whether this is still the newest change of its kind for the participant.
  func isNewest(_ change: Change) -> Bool { newest[change.subject] == change.number }

  /// Removes a change after `media` has answered it, or after the gateway has stopped sending it.
  mutating func remove(_ change: Change) {
    if isNewest(change) { newest[change.subject] = nil }
  }

  /// The number of changes without an answer.
  var count: Int { newest.count }
}
