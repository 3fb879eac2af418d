/// A buffer for the first speech of a talker. The decoder first adapts to the talker's voice, and
/// then decodes this speech.
///
/// A decoder subtracts the mean of the cepstra from each frame (cepstral mean normalisation). At
/// first, a decoder does not know the mean of the talker. If the decoder used the model's mean, the
/// first sentence would have twice as many wrong words as later sentences. So the buffer collects 2
/// s of speech, or less if the utterance ends earlier. Then the decoder estimates the mean from
/// this speech, and decodes the speech. If the first utterances are short, the buffer collects
/// several utterances until their total length is 2 s. The decoder decodes each of these utterances
/// at the utterance's end, with the mean of all speech so far.
///
/// The first partial result of a talker therefore follows after 2 s of speech, plus the time to
/// decode this speech. A final result is delayed by at most the time to decode this speech.
struct CepstralWarmUpBuffer: Sendable {
  /// The next step of the decoder.
  enum Step: Sendable, Hashable {
    /// Wait for more speech.
    case hold
    /// Adapt to the talker's voice, and then decode the collected speech.
    case adapt(to: [Int16], hear: [Int16])
    /// Decode these samples.
    case hear([Int16])
  }

  /// The number of samples that the buffer collects, so that the decoder can estimate the mean: 2
  /// s.
  static let window = 32_000

  private var state = State.unknown([], held: 0)

  private enum State: Sendable {
    /// The mean is still unknown. The buffer contains all speech so far, which is shorter than
    /// ``window``. The decoder has not decoded the last `held` samples yet.
    case unknown([Int16], held: Int)
    case known
  }

  /// The number of samples that the decoder has not decoded yet: the whole current utterance, or 0.
  var held: Int {
    switch state {
    case .unknown(_, let held): held
    case .known: 0
    }
  }

  /// Adds the next samples of an utterance, and returns the next step.
  mutating func take(_ samples: [Int16]) -> Step {
    guard case .unknown(var speech, let held) = state else { return .hear(samples) }
    speech += samples
    guard speech.count >= Self.window else {
      state = .unknown(speech, held: held + samples.count)
      return .hold
    }
    state = .known
    return .adapt(
      to: Array(speech.prefix(Self.window)), hear: speech.suffix(held + samples.count))
  }

  /// Ends the utterance, and releases the collected speech.
  ///
  /// - Returns: The last step of the utterance; `nil` if the decoder has decoded the whole
  ///   utterance.
  mutating func endUtterance() -> Step? {
    guard case .unknown(let speech, let held) = state, held > 0 else { return nil }
    state = .unknown(speech, held: 0)
    return .adapt(to: speech, hear: speech.suffix(held))
  }
}
