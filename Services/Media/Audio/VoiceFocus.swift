import SpeexDSP

/// Removes steady noise from frames of 20 ms.
final class VoiceFocus {
  private var denoiser: Denoiser

  /// - Parameter suppression: The reduction of noise, in dB.
  init(suppression: Int) throws(SpeexError) {
    denoiser = try Denoiser(suppression: suppression)
  }

  func process(_ frame: inout [Int16]) {
    var frame = frame.mutableSpan
    for start in stride(from: 0, to: frame.count, by: denoiser.frameSize) {
      var part = frame._mutatingExtracting(start..<start + denoiser.frameSize)
      denoiser.process(&part)
    }
  }
}
