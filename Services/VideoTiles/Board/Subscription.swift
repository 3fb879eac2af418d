import MeetingModel

/// A receiver's subscription to one source.
struct Subscription: Hashable, Sendable {
  var priority: VideoPriority = .high

  /// The target size. Layers above the lowest one that covers it are not sent.
  var target: FrameSize = .standard
}

/// All subscriptions of a receiver.
enum Subscriptions: Hashable, Sendable {
  /// The receiver never chose: it gets the oldest cameras up to a limit, and every content share.
  case automatic
  /// Exactly these, by publisher.
  case chosen([ParticipantID: Subscription])

  /// Applies changes.
  ///
  /// The first one ends the automatic choice for good. A source that is both added and removed is
  /// removed.
  mutating func update(
    adding added: [ParticipantID: Subscription], removing removed: [ParticipantID]
  ) {
    var chosen: [ParticipantID: Subscription] = [:]
    if case .chosen(let before) = self { chosen = before }
    chosen.merge(added) { $1 }
    for participant in removed { chosen[participant] = nil }
    self = .chosen(chosen)
  }

  /// Removes subscriptions to sources that do not exist.
  mutating func keep(only isPresent: (ParticipantID) -> Bool) {
    guard case .chosen(let chosen) = self, !chosen.keys.allSatisfy(isPresent) else { return }
    self = .chosen(chosen.filter { isPresent($0.key) })
  }
}
