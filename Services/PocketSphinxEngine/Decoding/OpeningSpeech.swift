/// The first speech of a talker, held back until it has shown what the talker's voice is like.
///
/// A decoder subtracts the mean of the cepstra from each frame (cepstral mean normalisation), and
/// knows none of the talker's own at first: heard with the model's, the first sentence has twice as
/// many wrong words as later ones. So what is said first waits until there are two seconds of it or
/// its utterance ends, the mean is estimated from it, and then the decoder hears it. When the first
/// utterances are short, all of them together make the two seconds, and each is decoded at its end
/// with what is known until then.
///
/// The first partial result of a talker thus comes after two seconds of speech and the time in
/// which the decoder works through them. A final result is late by that time at most.
struct OpeningSpeech: Sendable {
  /// What the decoder is to do next.
  enum Step: Sendable, Hashable {
    /// It waits for more.
    case hold
    /// It adapts to the talker's voice, and then hears what was held back.
    case adapt(to: [Int16], hear: [Int16])
    /// It hears this.
    case hear([Int16])
  }

  /// The samples after which a voice is known: 2 s.
  static let window = 32_000

  private var state = State.unknown([], held: 0)

  private enum State: Sendable {
    /// All that was said so far, fewer samples than a window; the last `held` of them wait.
    case unknown([Int16], held: Int)
    case known
  }

  /// Samples that wait: all of the present utterance, or none.
  var held: Int {
    switch state {
    case .unknown(_, let held): held
    case .known: 0
    }
  }

  /// Takes the next samples of an utterance.
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

  /// Ends the utterance: nothing of it waits any longer.
  ///
  /// - Returns: What is left to do for it; `nil` if it has all been heard.
  mutating func endUtterance() -> Step? {
    guard case .unknown(let speech, let held) = state, held > 0 else { return nil }
    state = .unknown(speech, held: 0)
    return .adapt(to: speech, hear: speech.suffix(held))
  }
}
