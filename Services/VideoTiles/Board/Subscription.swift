import MeetingModel

/// What a receiver asks of one source.
struct Subscription: Hashable, Sendable {
  var priority: VideoPriority = .high

  /// Higher layers than the lowest that covers it are not sent.
  var target: FrameSize = .standard
}

/// All that a receiver asks for.
enum Subscriptions: Hashable, Sendable {
  /// It never said: the oldest cameras up to a limit, and every content share.
  case automatic
  /// Exactly these, by publisher.
  case chosen([ParticipantID: Subscription])

  /// The first change ends the automatic ones for good. What is both added and removed is removed.
  mutating func update(
    adding added: [ParticipantID: Subscription], removing removed: [ParticipantID]
  ) {
    var chosen: [ParticipantID: Subscription] = [:]
    if case .chosen(let before) = self { chosen = before }
    chosen.merge(added) { $1 }
    for participant in removed { chosen[participant] = nil }
    self = .chosen(chosen)
  }

  /// Unsubscribes from all whose source is not there.
  mutating func keep(only isPresent: (ParticipantID) -> Bool) {
    guard case .chosen(let chosen) = self, !chosen.keys.allSatisfy(isPresent) else { return }
    self = .chosen(chosen.filter { isPresent($0.key) })
  }
}
