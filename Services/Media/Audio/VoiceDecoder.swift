import Opus
import SpeexDSP

/// The decoder of one talker's packets.
///
/// The decoder converts packets of any length to frames of 20 ms. When a tick first decodes a
/// participant's packets, the participant creates its decoder.
final class VoiceDecoder {
  static let frameSize = 960

  /// The frame of this tick, one channel.
  var mono = [Int16](repeating: 0, count: frameSize)
  /// The same frame in two channels, interleaved; empty if the talker sends one channel.
  var stereo: [Int16] = []
  /// The number of channels, 1 or 2.
  private(set) var channels = 1
  /// The number of packets that are not valid Opus.
  private(set) var undecodable = 0

  private var decoder: OpusDecoder
  /// The decoded samples that no frame has taken yet, interleaved.
  private var waiting = [Int16](repeating: 0, count: frameSize)
  private var waitingCount = 0
  private var denoiser: VoiceFocus?

  init() throws(OpusError) {
    decoder = try OpusDecoder(channels: 1)
  }

  /// The frame of this tick, in as many channels as the mixer adds.
  var widest: [Int16] { channels == 2 ? stereo : mono }

  /// The number of decoded samples per channel that no frame has taken yet.
  var readyCount: Int { waitingCount }

  var isVoiceFocused: Bool { denoiser != nil }

  /// Changes from one channel to two channels. A second call has no effect.
  ///
  /// A new decoder replaces the old decoder. This method drops the remaining samples of the old
  /// decoder.
  func useStereo() {
    guard channels == 1, let decoder = try? OpusDecoder(channels: 2) else { return }
    self.decoder = decoder
    channels = 2
    stereo = [Int16](repeating: 0, count: Self.frameSize * 2)
    waiting = [Int16](repeating: 0, count: Self.frameSize * 2)
    waitingCount = 0
  }

  /// Starts or stops the removal of noise.
  ///
  /// - Parameter suppression: The reduction of noise in dB, or `nil` for none.
  func setVoiceFocus(suppression: Int?) {
    denoiser = suppression.flatMap { try? VoiceFocus(suppression: $0) }
  }

  func decode(_ packet: Span<UInt8>, sampleCount: Int) {
    makeRoom(for: sampleCount)
    var room = waiting.mutableSpan
    var end = room._mutatingExtracting(droppingFirst: waitingCount * channels)
    do {
      waitingCount += try decoder.decode(packet, into: &end)
    } catch {
      undecodable += 1
      conceal(sampleCount: sampleCount)
    }
  }

  func decodeRedundancy(of next: Span<UInt8>, sampleCount: Int) {
    makeRoom(for: sampleCount)
    var room = waiting.mutableSpan
    var end = room._mutatingExtracting(droppingFirst: waitingCount * channels)
    do {
      waitingCount += try decoder.decodeRedundancy(
        of: next, sampleCount: sampleCount, into: &end)
    } catch {
      undecodable += 1
      conceal(sampleCount: sampleCount)
    }
  }

  func conceal(sampleCount: Int) {
    makeRoom(for: sampleCount)
    var room = waiting.mutableSpan
    var end = room._mutatingExtracting(droppingFirst: waitingCount * channels)
    guard let count = try? decoder.conceal(sampleCount: sampleCount, into: &end) else {
      for index in 0..<sampleCount * channels { end[index] = 0 }
      waitingCount += sampleCount
      return
    }
    waitingCount += count
  }

  /// Fades the last two packets into each other. The result has the length of the shorter packet.
  func merge(_ first: Int, with second: Int) {
    let count = min(first, second)
    let start = (waitingCount - first - second) * channels
    guard start >= 0, count > 0 else { return }
    let later = (waitingCount - count) * channels
    var samples = waiting.mutableSpan
    for index in 0..<count * channels {
      let weight = Int32(index / channels)
      let mixed =
        Int32(samples[start + index]) * (Int32(count) - weight)
        + Int32(samples[later + index]) * weight
      samples[start + index] = Int16(mixed / Int32(count))
    }
    waitingCount -= first + second - count
  }

  /// Moves 20 ms of sound to ``mono`` and ``stereo``.
  ///
  /// Conceals missing samples.
  func takeFrame() {
    if waitingCount < Self.frameSize { conceal(sampleCount: Self.frameSize - waitingCount) }
    if channels == 2 {
      SampleFunctions.copy(waiting, to: &stereo)
      SampleFunctions.mixDown(waiting, to: &mono)
    } else {
      SampleFunctions.copy(waiting, to: &mono)
    }
    waitingCount -= Self.frameSize
    SampleFunctions.removeFirst(
      Self.frameSize * channels, from: &waiting, keeping: waitingCount * channels)
    denoiser?.process(&mono)
    // The denoiser processes only one channel.
    if isVoiceFocused, channels == 2 { SampleFunctions.spread(mono, to: &stereo) }
  }

  /// Fades the frame in from silence.
  func fadeIn() {
    Fade.fadeIn(&mono, channels: 1)
    if channels == 2 { Fade.fadeIn(&stereo, channels: 2) }
  }

  /// Fades the frame out to silence.
  ///
  /// - Parameter samples: The length of the fade, in samples per channel.
  func fadeOut(samples: Int) {
    Fade.fadeOut(&mono, channels: 1, samples: samples)
    if channels == 2 { Fade.fadeOut(&stereo, channels: 2, samples: samples) }
  }

  /// Discards the samples that no frame has taken yet.
  func discardAll() { waitingCount = 0 }

  private func makeRoom(for sampleCount: Int) {
    let needed = (waitingCount + sampleCount) * channels
    if waiting.count < needed {
      waiting += [Int16](repeating: 0, count: needed - waiting.count)
    }
  }
}
