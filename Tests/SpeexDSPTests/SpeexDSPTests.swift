import Foundation
import SpeexDSP
import Testing

struct SpeexDSPTests {
  /// Returns the noise of a fan: white noise through a low-pass filter.
  private static func fan(count: Int, amplitude: Double) -> [Double] {
    var state: UInt64 = 42
    var last = 0.0
    return (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let white = Double(Int32(truncatingIfNeeded: state >> 32)) / Double(Int32.max)
      last += 0.15 * (white - last)
      return amplitude * last
    }
  }

  private static func voice(at index: Int) -> Double {
    let time = Double(index) / 48_000
    let syllable = max(0, sin(2 * .pi * 2 * time))
    guard Int(time) % 2 == 1 else { return 0 }
    return (1...10).reduce(0) { sum, harmonic in
      sum + sin(2 * .pi * 140 * Double(harmonic) * time) / Double(harmonic)
    } * 6_000 * syllable
  }

  private static func power(_ samples: some Collection<Int16>) -> Double {
    samples.reduce(0) { $0 + Double($1) * Double($1) } / Double(samples.count)
  }

  @Test func `noise suppression lowers the noise of a fan by 8 dB and keeps the voice`() throws {
    let count = 48_000 * 6
    let noise = Self.fan(count: count, amplitude: 3_000)
    let noisy = noise.indices.map { Int16(noise[$0] + Self.voice(at: $0)) }
    var denoiser = try Denoiser()
    var heard: [Int16] = []
    for start in stride(from: 0, to: count, by: 480) {
      var frame = Array(noisy[start..<start + 480])
      var span = frame.mutableSpan
      denoiser.process(&span)
      heard += frame
    }
    // The voice is in the odd seconds. The second that starts at 4 s contains only the fan.
    let pause = (48_000 * 4 + 9_600)..<(48_000 * 5 - 9_600)
    let reduction = 10 * log10(Self.power(noisy[pause]) / Self.power(heard[pause]))
    #expect(reduction > 8)

    let speech = (48_000 * 5)..<(48_000 * 6)
    let clean = speech.map { Int16(Self.voice(at: $0)) }
    let change = 10 * log10(Self.power(heard[speech]) / Self.power(clean))
    #expect(abs(change) < 3)
  }

  @Test func `a tone keeps its pitch and level when it is resampled to a third of the rate`() throws
  {
    var resampler = try Resampler(from: 48_000, to: 16_000)
    var output: [Int16] = []
    for frame in 0..<50 {
      let input = (0..<960).map { index in
        Int16(8_000 * sin(2 * .pi * 440 * Double(frame * 960 + index) / 48_000))
      }
      var buffer = [Int16](repeating: 0, count: 400)
      var span = buffer.mutableSpan
      let (consumed, produced) = try resampler.process(input.span, into: &span)
      #expect(consumed == 960)
      output += buffer[..<produced]
    }
    #expect((15_900...16_000).contains(output.count))
    let crossings = zip(output, output.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect((435...441).contains(crossings))
    #expect(abs(Self.power(output) - 32_000_000) < 1_000_000)
  }

  @Test func `invalid rates and sizes are refused`() {
    #expect(throws: SpeexError.cannotStart) { _ = try Resampler(from: 0, to: 16_000) }
    #expect(throws: SpeexError.cannotStart) { _ = try Denoiser(frameSize: 0) }
    #expect(throws: SpeexError.cannotStart) { _ = try Denoiser(suppression: 90) }
  }

  @Test func `the resampler consumes no input without room for output`() throws {
    var resampler = try Resampler(from: 48_000, to: 16_000)
    var none: [Int16] = []
    var span = none.mutableSpan
    let input = [Int16](repeating: 0, count: 960)
    let (consumed, produced) = try resampler.process(input.span, into: &span)
    #expect(consumed == 0 && produced == 0)
  }
}
