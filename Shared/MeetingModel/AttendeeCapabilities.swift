/// The media that an attendee may send and receive. The server enforces these capabilities.
///
/// An attendee who may receive content may always receive video too.
public struct AttendeeCapabilities: Hashable, Sendable {
  /// The directions allowed for audio.
  public let audio: MediaDirection

  /// The directions allowed for camera video.
  public let video: MediaDirection

  /// The directions allowed for content shares.
  public let content: MediaDirection

  /// Creates capabilities.
  ///
  /// - Throws: ``InvalidModelValue/forbiddenCombination(rule:)`` if the attendee may receive
  ///   content but not video.
  public init(
    audio: MediaDirection, video: MediaDirection, content: MediaDirection
  ) throws(InvalidModelValue) {
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

  /// The capabilities that allow everything.
  public static let all = AttendeeCapabilities(unchecked: .sendReceive, .sendReceive, .sendReceive)

  /// Returns the capabilities of an attendee whose request contains no capabilities.
  ///
  /// In a meeting without video but with content, video is `Receive`, because receiving content
  /// requires receiving video. A request cannot contain this combination: see
  /// ``validate(askedIn:)``.
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

  /// Checks the capabilities in a request against the features of the meeting.
  ///
  /// - Throws: ``InvalidModelValue/forbiddenCombination(rule:)`` if the meeting lacks video or
  ///   content, and the request contains a direction other than `None` for this medium.
  public func validate(askedIn features: MeetingFeatures) throws(InvalidModelValue) {
    guard features.video != .none || video == .none else {
      throw .forbiddenCombination(rule: "This meeting has no video: Video must be None.")
    }
    guard features.content != .none || content == .none else {
      throw .forbiddenCombination(rule: "This meeting has no content shares: Content must be None.")
    }
  }
}
