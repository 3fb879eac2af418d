import MeetingModel
import Wire

@testable import Transcription

extension ParticipantIdentity {
  static let ada = ParticipantIdentity(named: "ada", digit: "a")
  static let grace = ParticipantIdentity(named: "grace", digit: "b")
  static let edsger = ParticipantIdentity(named: "edsger", digit: "c")

  init(named name: String, digit: Character) {
    let guid = GUID("\(digit)0000000-0000-4000-8000-000000000000") ?? .random()
    self.init(
      id: ParticipantID(AttendeeID(guid)), externalUserID: ExternalUserID(unchecked: name))
  }

  /// Returns the participant with the given number.
  static func number(_ number: Int) -> ParticipantIdentity {
    let digits = String(repeating: "0", count: 12 - String(number).count) + String(number)
    let guid = GUID("d0000000-0000-4000-8000-\(digits)") ?? .random()
    return ParticipantIdentity(
      id: ParticipantID(AttendeeID(guid)), externalUserID: ExternalUserID(unchecked: "t\(number)"))
  }
}

extension LanguageCode {
  static let english = LanguageCode(unchecked: "en-US")
  static let german = LanguageCode(unchecked: "de-DE")
  static let french = LanguageCode(unchecked: "fr-FR")
}

/// The start of a test's speech, in milliseconds since 1970.
let epoch: UInt64 = 1_700_000_000_000

/// Returns a sound that the segmenter classifies as speech.
func sound(milliseconds: Int, amplitude: Int16 = 8_000) -> [Int16] {
  (0..<milliseconds * 16).map { $0 / 40 % 2 == 0 ? amplitude : -amplitude }
}

func silence(milliseconds: Int) -> [Int16] { [Int16](repeating: 0, count: milliseconds * 16) }

extension EngineResult {
  /// Returns a result with words of 100 ms each, starting at this number of milliseconds.
  static func saying(
    _ text: String, utterance: UInt64 = 1, at start: UInt64 = 0, isFinal: Bool = false,
    in language: LanguageCode? = nil, translatedFrom: LanguageCode? = nil
  ) -> EngineResult {
    let words = text.split(separator: " ").enumerated().map { index, word in
      let first = (start + UInt64(index) * 100) * 16
      return EngineWord(
        content: String(word), start: first, end: first + 1_600,
        isPunctuation: [".", ",", "?"].contains(word))
    }
    return EngineResult(
      utterance: utterance, isFinal: isFinal, start: start * 16,
      end: max(start * 16, words.last?.end ?? 0),
      alternatives: words.isEmpty ? [] : [EngineAlternative(words: words)], language: language,
      translatedFrom: translatedFrom)
  }
}

extension EngineResultDecision {
  /// The published results; empty for any other effect.
  var results: [TranscriptResult] {
    if case .publish(let results) = self { results.map(\.result) } else { [] }
  }

  var texts: [String] { results.map(\.text) }
}

extension TranscriptResult {
  /// The text of the best alternative.
  var text: String { alternatives.first?.transcript ?? "" }
}

extension V1.TranscriptResult {
  /// The text of the best alternative.
  var text: String { alternatives.first?.transcript ?? "" }
}
