/// Adds the voices of one frame, and writes mixes without a listener's own voice.
struct Mixer {
  private var mono = [Int32](repeating: 0, count: VoiceDecoder.frameSize)
  private var stereo: [Int32] = []
  private var limiter = AudioLimiter()

  /// Whether the sum also has two channels.
  private(set) var isStereo = false

  /// Clears the sum for the next frame.
  mutating func begin(isStereo: Bool) {
    self.isStereo = isStereo
    Self.clear(&mono)
    guard isStereo else { return }
    if stereo.isEmpty { stereo = [Int32](repeating: 0, count: VoiceDecoder.frameSize * 2) }
    Self.clear(&stereo)
  }

  /// - Parameters:
  ///   - voice: The voice in one channel.
  ///   - stereoVoice: The voice in two channels; empty if the participant sends one channel.
  mutating func add(_ voice: [Int16], stereo stereoVoice: [Int16]) {
    Self.add(voice, to: &mono)
    guard isStereo else { return }
    if stereoVoice.isEmpty {
      Self.spread(voice, to: &stereo)
    } else {
      Self.add(stereoVoice, to: &stereo)
    }
  }

  /// Chooses the gain of the frame, after the addition of all voices.
  mutating func finish() {
    limiter.follow(peak: max(Self.peak(mono), isStereo ? Self.peak(stereo) : 0))
  }

  /// Writes a mix of one channel.
  ///
  /// - Parameters:
  ///   - own: The listener's own sound, in one channel; `nil` if the listener has none.
  ///   - other: A second sound of the listener, in one channel; `nil` if the listener has none.
  func writeMono(without own: [Int16]?, _ other: [Int16]? = nil, to mix: inout [Int16]) {
    limiter.write(mono, without: own, other, channels: 1, to: &mix)
  }

  /// Writes a mix of two channels.
  ///
  /// - Parameters:
  ///   - own: The listener's own sound, in one or two channels; `nil` if the listener has none.
  ///   - other: A second sound of the listener, in one or two channels; `nil` if the listener has
  ///     none.
  func writeStereo(without own: [Int16]?, _ other: [Int16]? = nil, to mix: inout [Int16]) {
    precondition(isStereo, "There is no stereo mix unless the frame began as stereo.")
    limiter.write(stereo, without: own, other, channels: 2, to: &mix)
  }

  private static func clear(_ sum: inout [Int32]) {
    var sum = sum.mutableSpan
    sum.update(repeating: 0)
  }

  private static func add(_ voice: [Int16], to sum: inout [Int32]) {
    let voice = voice.span
    var sum = sum.mutableSpan
    // The addition cannot overflow, even for thousands of full-scale voices.
    for index in sum.indices { sum[index] &+= Int32(voice[index]) }
  }

  private static func spread(_ voice: [Int16], to sum: inout [Int32]) {
    let voice = voice.span
    var sum = sum.mutableSpan
    for index in voice.indices {
      sum[2 * index] &+= Int32(voice[index])
      sum[2 * index + 1] &+= Int32(voice[index])
    }
  }

  private static func peak(_ sum: [Int32]) -> Int32 {
    let sum = sum.span
    var peak: Int32 = 0
    for index in sum.indices { peak = max(peak, abs(sum[index])) }
    return peak
  }
}
