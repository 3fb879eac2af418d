/// What an attendee may send and receive, enforced by the server.
///
/// One rule always holds: whoever may receive content may receive video.
public struct AttendeeCapabilities: Hashable, Sendable {
  /// What the attendee may do with audio.
  public let audio: MediaDirection

  /// What the attendee may do with the video of cameras.
  public let video: MediaDirection

  /// What the attendee may do with content shares.
  public let content: MediaDirection

  /// - Throws: ``ModelError/forbiddenCombination(rule:)`` if content may be received and video not.
  public init(
    audio: MediaDirection, video: MediaDirection, content: MediaDirection
  ) throws(ModelError) {
    guard !content.canReceive || video.canReceive else {
      throw .forbiddenCombination(
        rule: "Content may be SendReceive or Receive only if Video is SendReceive or Receive.")
    }
    self.init(unchecked: audio, video, content)
  }

  private init(
    unchecked audio: MediaDirection, _ video: MediaDirection, _ content: MediaDirection
  ) {
    (self.audio, self.video, self.content) = (audio, video, content)
  }

  /// Everything allowed.
  public static let all = AttendeeCapabilities(unchecked: .sendReceive, .sendReceive, .sendReceive)

  /// What an attendee gets when a request names no capabilities.
  ///
  /// In a meeting without video but with content, video is `Receive`, because receiving content
  /// needs it. That default cannot be asked for: see ``validate(askedIn:)``.
  public static func defaults(in features: MeetingFeatures) -> AttendeeCapabilities {
    switch (features.video, features.content) {
    case (.hd, .fhd), (.hd, .uhd), (.fhd, .fhd), (.fhd, .uhd): all
    case (.none, .fhd), (.none, .uhd):
      AttendeeCapabilities(unchecked: .sendReceive, .receive, .sendReceive)
    case (.hd, .none), (.fhd, .none):
      AttendeeCapabilities(unchecked: .sendReceive, .sendReceive, .none)
    case (.none, .none): AttendeeCapabilities(unchecked: .sendReceive, .none, .none)
    }
  }

  /// Checks capabilities that a request names against the features of its meeting.
  ///
  /// - Throws: ``ModelError/forbiddenCombination(rule:)`` if the meeting has no video or no content
  ///   and the request names any direction but `None` for it.
  public func validate(askedIn features: MeetingFeatures) throws(ModelError) {
    guard features.video != .none || video == .none else {
      throw .forbiddenCombination(rule: "This meeting has no video: Video must be None.")
    }
    guard features.content != .none || content == .none else {
      throw .forbiddenCombination(rule: "This meeting has no content shares: Content must be None.")
    }
  }
}
