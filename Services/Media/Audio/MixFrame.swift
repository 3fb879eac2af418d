/// 20 ms of a mix in one channel. While there is stereo sound, the frame also contains the mix in
/// two channels.
struct MixFrame {
  var mono = [Int16](repeating: 0, count: VoiceDecoder.frameSize)
  /// The two channels, interleaved; empty before the first stereo sound.
  var stereo: [Int16] = []
  /// Whether the frame contains a voice.
  var hasSound = false
  /// Whether ``stereo`` contains this frame.
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

  /// Prepares the buffer for two channels.
  mutating func prepareStereo() {
    if stereo.isEmpty { stereo = [Int16](repeating: 0, count: VoiceDecoder.frameSize * 2) }
    isStereo = true
  }

  /// Copies the one channel to both channels, unless the frame already has two channels.
  mutating func spreadIfNeeded() {
    guard !isStereo else { return }
    prepareStereo()
    SampleFunctions.spread(mono, to: &stereo)
  }
}
