/// 20 ms of a mix in one channel, and also in two while there is stereo.
struct MixFrame {
  var mono = [Int16](repeating: 0, count: VoiceDecoder.frameSize)
  /// Interleaved; empty until there is stereo.
  var stereo: [Int16] = []
  /// Whether a voice is in the frame.
  var hasSound = false
  /// Whether ``stereo`` holds the frame.
  var isStereo = false

  /// Returns the samples for a kind of mix.
  func samples(_ kind: MixKind) -> [Int16] { kind == .stereo48K ? stereo : mono }

  /// Fills the frame with silence.
  mutating func clear() {
    var samples = mono.mutableSpan
    samples.update(repeating: 0)
    hasSound = false
    isStereo = false
  }

  /// Prepares the buffer of two channels.
  mutating func prepareStereo() {
    if stereo.isEmpty { stereo = [Int16](repeating: 0, count: VoiceDecoder.frameSize * 2) }
    isStereo = true
  }

  /// Copies one channel to both, if the frame has only one.
  mutating func spreadIfNeeded() {
    guard !isStereo else { return }
    prepareStereo()
    Samples.spread(mono, to: &stereo)
  }
}
