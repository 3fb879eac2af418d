import MeetingModel

/// Who in a meeting reads and speaks which language.
struct LanguageChoices: Sendable {
  /// A session's choice, or an operator's for an attendee.
  struct Choice: Sendable, Hashable {
    /// `nil`: set by an operator for the attendee, whether it is present or not.
    let session: SessionID?
    let participant: ParticipantID

    /// Its attendee in the primary while it is promoted.
    var promotedAs: ParticipantID?

    /// It gets only results in this language; `nil`: all as they were spoken.
    var view: LanguageCode?

    /// What it is heard as; `nil`: the meeting's language.
    var spoken: LanguageCode?

    fileprivate var names: [ParticipantID] { [participant] + (promotedAs.map { [$0] } ?? []) }
  }

  private var bySession: [SessionID: Choice] = [:]
  private var byOperator: [ParticipantID: Choice] = [:]

  /// Most of one meeting.
  static let most = 20_000

  /// - Throws: ``TranscriptionError/tooManySessions(limit:)``.
  mutating func set(_ choice: Choice) throws(TranscriptionError) {
    let isEmpty = choice.view == nil && choice.spoken == nil
    guard isEmpty || bySession.count + byOperator.count < Self.most else {
      throw .tooManySessions(limit: Self.most)
    }
    if let session = choice.session {
      bySession[session] = isEmpty ? nil : choice
    } else {
      byOperator[choice.participant] = isEmpty ? nil : choice
    }
  }

  mutating func remove(_ session: SessionID) { bySession[session] = nil }

  /// The language that a talker chose, or an operator for it.
  func spoken(by talker: ParticipantID) -> LanguageCode? {
    let chosen = bySession.values.filter { $0.names.contains(talker) && $0.spoken != nil }
    // Of several sessions of one attendee the same counts each time.
    return chosen.map { $0.spoken }.compactMap { $0 }.min { $0.text < $1.text }
      ?? byOperator[talker]?.spoken
  }

  /// The languages that talkers chose.
  var spokenLanguages: Set<LanguageCode> {
    Set(all.compactMap(\.spoken))
  }

  /// Who may read a result.
  func audience(of result: AssembledResult) -> TranscriptAudience {
    let viewers = views
    if result.isTranslation {
      let readers = viewers.filter { $0.value == result.language }.keys.sorted()
      return .only(readers)
    }
    let others = viewers.filter { viewer in
      result.language.map { !viewer.value.covers($0) } ?? true
    }
    return others.isEmpty ? .everybody : .except(others.keys.sorted())
  }

  /// Who asked for which language.
  private var views: [ParticipantID: LanguageCode] {
    var views: [ParticipantID: LanguageCode] = [:]
    for choice in byOperator.values { for name in choice.names { views[name] = choice.view } }
    for choice in bySession.values {
      guard let view = choice.view else { continue }
      for name in choice.names { views[name] = view }
    }
    return views
  }

  /// Sessions in no particular order.
  var all: [Choice] { Array(bySession.values) + Array(byOperator.values) }
}

/// Who may read an event.
enum TranscriptAudience: Sendable, Hashable {
  case everybody
  case only([ParticipantID])
  case except([ParticipantID])
}
