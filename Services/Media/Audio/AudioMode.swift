/// How a listener wants its mix, in the facade's words.
enum AudioMode: CaseIterable, Hashable, Sendable {
  /// Wide band (8 kHz of sound), one channel.
  case mono16K
  /// Full band, one channel.
  case mono48K
  /// Full band; two channels while somebody who is heard sends two.
  case stereo48K
}
