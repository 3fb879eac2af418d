internal import MeetingViews

/// What a client of the demo hears of sound, pictures and an audience.
enum MediaEvent: Hashable, Sendable {
  case joined
  case reconnected

  /// An attendee came or went, whatever the reason.
  case came(String)
  case went(String)

  /// A data message of the audience's topic.
  case said(String, by: String)

  /// What it may do with video: 0, or 206 for watching only.
  case video(status: Int)
  case promoted(status: Int)
  case demoted(status: Int)
  case ended(status: Int)
  case volume(String, level: Int)
  case activeSpeakers([String])
  case tileAdded(Int, attendeeID: String, isContent: Bool, isLocal: Bool)
  case tileRemoved(Int)

  /// A picture of a tile: the number in it, or `nil` where none can be read.
  case frame(tile: Int, number: Int?, width: Int)
  case shareStarted
  case transcript(TranscriptLine)
}
