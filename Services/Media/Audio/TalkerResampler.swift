import SpeexDSP

/// Turns frames of 20 ms into the 16 kHz that speech recognition takes.
final class TalkerResampler {
  private var resampler: Resampler
  private var output = [Int16](repeating: 0, count: 320)

  init() throws(SpeexError) {
    resampler = try Resampler(from: 48_000, to: 16_000)
  }

  func resample(_ frame: [Int16], _ body: (Span<Int16>) -> Void) {
    var room = output.mutableSpan
    guard let (_, produced) = try? resampler.process(frame.span, into: &room) else { return }
    let output = output
    body(output.span.extracting(0..<produced))
  }

  func reset() { resampler.reset() }
}
