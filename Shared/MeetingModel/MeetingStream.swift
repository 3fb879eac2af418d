/// The numbered streams of a meeting.
///
/// A raw value is the stream's name, both in clients' positions and in the topics of events between
/// services.
public enum MeetingStream: String, CaseIterable, Hashable, Sendable {
  /// The participants of the meeting. `presence` numbers the events.
  case roster
  /// Data messages. `messaging` numbers the events.
  case messages
  /// Video sources and tiles. The video-tiles service numbers the events.
  case tiles
  /// Transcripts while a transcription runs. `transcription` numbers the events.
  case transcripts

  /// The name in clients' positions.
  public var name: String { rawValue }
}
