/// How a client wants audio. The raw values are the facade's.
public enum AudioMode: Int32, CaseIterable, Hashable, Sendable {
  /// Wide band (8 kHz of sound), one channel.
  case mono16K = 1
  /// Full band, one channel.
  case mono48K = 2
  /// Full band; two channels while somebody who is heard sends two.
  case stereo48K = 3
}
