/// The numbered streams of a meeting.
///
/// The raw values are what they are called in clients' positions and, as topics, between services.
public enum MeetingStream: String, CaseIterable, Hashable, Sendable {
  /// Who is in the meeting; presence numbers it.
  case roster
  /// Data messages; messaging numbers them.
  case messages
  /// Video sources and tiles; video-tiles numbers them.
  case tiles
  /// What is said, while it is transcribed; transcription numbers it.
  case transcripts

  /// What it is called in clients' positions.
  public var name: String { rawValue }
}
