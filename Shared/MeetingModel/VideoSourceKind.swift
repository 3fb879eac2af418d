/// What a video source shows.
public enum VideoSourceKind: CaseIterable, Hashable, Sendable {
  /// A camera, of an attendee. Counts against the meeting's cameras.
  case camera
  /// A screen or other content, of an attendee's content share.
  case content

  /// What this participant publishes.
  public init(of participant: ParticipantID) {
    self = participant.isContent ? .content : .camera
  }

  /// What an attendee with these capabilities may do with it.
  public func direction(in capabilities: AttendeeCapabilities) -> MediaDirection {
    switch self {
    case .camera: capabilities.video
    case .content: capabilities.content
    }
  }
}
