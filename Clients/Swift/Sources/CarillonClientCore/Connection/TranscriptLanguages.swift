internal import MeetingModel
internal import Synchronization

/// The languages that the application chose. Any thread may read the languages.
///
/// The chosen languages also apply after a restart of the session.
final class TranscriptLanguages: Sendable {
  /// The chosen languages; an empty string means none.
  struct Choice: Hashable, Sendable {
    var view = ""
    var spoken = ""
  }

  private let state = Mutex(Choice())

  var choice: Choice { state.withLock { $0 } }

  /// - Throws: `TranscriptLanguageError` if a language code is invalid.
  func choose(view: String?, spoken: String?) throws {
    for code in [view, spoken].compactMap(\.self) where !LanguageCode.isValid(code) {
      throw TranscriptLanguageError.invalidLanguageCode(code)
    }
    state.withLock { $0 = Choice(view: view ?? "", spoken: spoken ?? "") }
  }
}
