internal import MeetingViews

/// What a client of the demo hears of sound and pictures.
enum MediaEvent: Hashable, Sendable {
  case joined
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
