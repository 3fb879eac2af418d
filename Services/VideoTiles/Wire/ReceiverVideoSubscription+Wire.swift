import MeetingModel
import Wire

extension ReceiverVideoSubscription {
  /// Reads subscriptions from a message. Of several subscriptions to one source, the last
  /// subscription applies.
  static func read(
    _ subscriptions: [V1.VideoSubscription]
  ) throws -> [ParticipantID: ReceiverVideoSubscription] {
    guard subscriptions.count <= V1.VideoChoices.mostSubscriptions else { throw tooMany }
    var read: [ParticipantID: ReceiverVideoSubscription] = [:]
    for subscription in subscriptions {
      guard let priority = VideoPriority(subscription.priority) else {
        throw VideoTilesError.malformed(field: "priority", rule: "10, 20, 30, 40 or 50")
      }
      read[try ParticipantID(subscription.participantID)] = ReceiverVideoSubscription(
        priority: priority,
        target: try FrameSize(
          targetWidth: subscription.targetWidth, height: subscription.targetHeight),
        preference: VideoAdaptationPreference(subscription.preference))
    }
    return read
  }

  /// Reads the participants whose subscriptions end.
  static func readRemoved(_ participants: [String]) throws -> [ParticipantID] {
    guard participants.count <= V1.VideoChoices.mostSubscriptions else { throw tooMany }
    return try participants.map { try ParticipantID($0) }
  }

  private static let tooMany = VideoTilesError.malformed(
    field: "number of subscriptions", rule: "1000 at most")
}

extension FrameSize {
  fileprivate init(targetWidth width: UInt32, height: UInt32) throws(VideoTilesError) {
    switch (width, height) {
    case (0, 0): self = .standard
    case (0, _), (_, 0):
      throw .malformed(field: "target resolution", rule: "two numbers above 0, or none")
    default: self.init(width: Int(width), height: Int(height))
    }
  }
}

extension V1.VideoSubscriptions {
  /// Encodes the subscriptions for gateways, in the order of participants; returns `nil` if the
  /// receiver has made no choice.
  init?(_ subscriptions: ReceiverVideoSubscriptions) {
    guard case .chosen(let chosen) = subscriptions else { return nil }
    self.init(
      subscriptions: chosen.sorted { $0.key < $1.key }.map { participant, subscription in
        V1.VideoSubscription(
          participantID: participant.text, priority: V1.VideoPriority(subscription.priority),
          targetWidth: UInt32(clamping: subscription.target.width),
          targetHeight: UInt32(clamping: subscription.target.height),
          preference: V1.VideoAdaptationPreference(subscription.preference))
      })
  }
}

extension VideoAdaptationPreference {
  fileprivate init(_ preference: V1.VideoAdaptationPreference) {
    switch preference {
    case .unspecified, .balanced, .unrecognized: self = .balanced
    case .framerate: self = .frameRate
    case .resolution: self = .resolution
    }
  }
}

extension V1.VideoAdaptationPreference {
  fileprivate init(_ preference: VideoAdaptationPreference) {
    switch preference {
    case .balanced: self = .unspecified
    case .frameRate: self = .framerate
    case .resolution: self = .resolution
    }
  }
}
