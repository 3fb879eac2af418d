internal import MeetingViews

/// An event that a client of the demo receives about sound, pictures or an audience.
enum DemoMediaEvent: Hashable, Sendable {
  case joined
  case reconnected

  /// An attendee joined.
  case came(String)
  case went(String)

  /// A data message on the audience's topic.
  case said(String, by: String)

  /// The status of the video session: 0, or 206 for a view-only attendee.
  case video(status: Int)
  case promoted(status: Int)
  case demoted(status: Int)
  case ended(status: Int)
  case volume(String, level: Int)
  case activeSpeakers([String])
  case tileAdded(Int, attendeeID: String, isContent: Bool, isLocal: Bool)
  case tileRemoved(Int)

  /// A picture of a tile, with the number drawn in the picture; `nil` if the picture contains no
  /// readable number.
  case frame(tile: Int, number: Int?, width: Int)
  case shareStarted
  case transcript(TranscriptLine)
}
