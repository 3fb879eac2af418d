/// The audio mode that a client requests; the raw values are those of the client libraries' facade.
public enum AudioMode: Int32, CaseIterable, Hashable, Sendable {
  /// Wide band (audio up to 8 kHz), one channel.
  case mono16K = 1
  /// Full band, one channel.
  case mono48K = 2
  /// Full band. The mix has two channels while an audible attendee sends two channels, and
  /// otherwise one channel.
  case stereo48K = 3
}
