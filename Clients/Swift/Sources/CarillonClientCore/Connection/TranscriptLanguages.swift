internal import MeetingModel
internal import Synchronization

/// The languages that the application chose, readable from any thread at once. Kept from start to
/// start.
final class TranscriptLanguages: Sendable {
  /// What was chosen; an empty text stands for no language.
  struct Choice: Hashable, Sendable {
    var view = ""
    var spoken = ""
  }

  private let state = Mutex(Choice())

  var choice: Choice { state.withLock { $0 } }

  /// - Throws: `TranscriptLanguageError`.
  func choose(view: String?, spoken: String?) throws {
    for code in [view, spoken].compactMap(\.self) where !LanguageCode.isValid(code) {
      throw TranscriptLanguageError.invalidLanguageCode(code)
    }
    state.withLock { $0 = Choice(view: view ?? "", spoken: spoken ?? "") }
  }
}
