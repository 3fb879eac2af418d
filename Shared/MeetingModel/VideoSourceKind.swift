/// The kind of a video source.
public enum VideoSourceKind: CaseIterable, Hashable, Sendable {
  /// An attendee's camera, which counts against the meeting's limit of cameras.
  case camera
  /// The screen or other content of an attendee's content share.
  case content

  /// Returns the kind of video that a participant publishes.
  public init(of participant: ParticipantID) {
    self = participant.isContent ? .content : .camera
  }

  /// Returns the direction that capabilities allow for this kind.
  public func direction(in capabilities: AttendeeCapabilities) -> MediaDirection {
    switch self {
    case .camera: capabilities.video
    case .content: capabilities.content
    }
  }
}
