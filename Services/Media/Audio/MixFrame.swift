/// 20 ms of a mix, in one channel and, while there is stereo, in two.
struct MixFrame {
  var mono = [Int16](repeating: 0, count: VoiceDecoder.frameSize)
  /// Interleaved; empty until there is stereo.
  var stereo: [Int16] = []
  /// Whether anybody is in it.
  var hasSound = false
  /// Whether ``stereo`` holds it.
  var isStereo = false

  /// The samples of it for a kind.
  func samples(_ kind: MixKind) -> [Int16] { kind == .stereo48K ? stereo : mono }

  /// Makes silence of it.
  mutating func clear() {
    var samples = mono.mutableSpan
    samples.update(repeating: 0)
    hasSound = false
    isStereo = false
  }

  /// Makes room for two channels.
  mutating func prepareStereo() {
    if stereo.isEmpty { stereo = [Int16](repeating: 0, count: VoiceDecoder.frameSize * 2) }
    isStereo = true
  }

  /// Gives it two channels, equal if it was made with one.
  mutating func spreadIfNeeded() {
    guard !isStereo else { return }
    prepareStereo()
    Samples.spread(mono, to: &stereo)
  }
}
