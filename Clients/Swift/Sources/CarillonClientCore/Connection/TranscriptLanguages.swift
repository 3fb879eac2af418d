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

/// Says which languages are chosen until the gateway has taken it: at once, and with each
/// keep-alive. What the Start of a connection says need not be told on it.
///
/// Lives on the socket thread.
final class TranscriptLanguageSynchronizer {
  private let wish: TranscriptLanguages
  private var link: GatewayLink?
  private var told: TranscriptLanguages.Choice?

  init(of wish: TranscriptLanguages) { self.wish = wish }

  /// The session is open on this connection, which was started with a choice.
  func begin(on link: GatewayLink) {
    self.link = link
    told = link.declaredLanguages
    tell()
  }

  func connectionWasLost() { link = nil }

  func tell() {
    let wanted = wish.choice
    guard let link, wanted != told else { return }
    told = wanted
    link.setTranscriptLanguages(wanted) { [weak self] isTaken in
      guard let self, self.link === link, !isTaken, told == wanted else { return }
      told = nil  // It is said again.
    }
  }
}
