import MeetingModel

/// A receiver's subscription to one source.
struct ReceiverVideoSubscription: Hashable, Sendable {
  var priority: VideoPriority = .high

  /// The target size. The receiver gets no layer above the lowest layer that covers this size.
  var target: FrameSize = .standard

  var preference: VideoAdaptationPreference = .balanced
}

/// All subscriptions of a receiver.
enum ReceiverVideoSubscriptions: Hashable, Sendable {
  /// The receiver has made no choice. The receiver gets the oldest cameras up to a limit, and all
  /// content shares.
  case automatic
  /// The receiver has chosen exactly these subscriptions, by publisher.
  case chosen([ParticipantID: ReceiverVideoSubscription])

  /// Applies changes.
  ///
  /// The first change ends the automatic choice permanently. If a change adds and removes the same
  /// source, the result does not contain the source.
  mutating func update(
    adding added: [ParticipantID: ReceiverVideoSubscription], removing removed: [ParticipantID]
  ) {
    var chosen: [ParticipantID: ReceiverVideoSubscription] = [:]
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
