import MeetingModel

/// The languages that a meeting's participants read and speak.
struct LanguageChoices: Sendable {
  /// A session's choice, or an operator's for an attendee.
  struct Choice: Sendable, Hashable {
    /// The session; `nil` if an operator made the choice for the attendee, present or not.
    let session: SessionID?
    let participant: ParticipantID

    /// The attendee in the primary meeting, while the session is promoted.
    var promotedAs: ParticipantID?

    /// The only language of the results that it gets; `nil` for all results as spoken.
    var view: LanguageCode?

    /// The language that it speaks; `nil` for the meeting's language.
    var spoken: LanguageCode?

    fileprivate var names: [ParticipantID] { [participant] + (promotedAs.map { [$0] } ?? []) }
  }

  private var bySession: [SessionID: Choice] = [:]
  private var byOperator: [ParticipantID: Choice] = [:]

  /// The maximum number of choices of one meeting.
  static let most = 20_000

  /// Sets or clears a choice.
  ///
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

  /// Returns the language that a talker, or an operator for it, has chosen.
  func spoken(by talker: ParticipantID) -> LanguageCode? {
    let chosen = bySession.values.filter { $0.names.contains(talker) && $0.spoken != nil }
    // With several sessions of one attendee the result is always the same.
    return chosen.map { $0.spoken }.compactMap { $0 }.min { $0.text < $1.text }
      ?? byOperator[talker]?.spoken
  }

  /// All chosen spoken languages.
  var spokenLanguages: Set<LanguageCode> {
    Set(all.compactMap(\.spoken))
  }

  /// Returns the readers of a result.
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

  /// The chosen reading languages, by participant.
  private var views: [ParticipantID: LanguageCode] {
    var views: [ParticipantID: LanguageCode] = [:]
    for choice in byOperator.values { for name in choice.names { views[name] = choice.view } }
    for choice in bySession.values {
      guard let view = choice.view else { continue }
      for name in choice.names { views[name] = view }
    }
    return views
  }

  /// All choices, in no particular order.
  var all: [Choice] { Array(bySession.values) + Array(byOperator.values) }
}

/// The readers of an event.
enum TranscriptAudience: Sendable, Hashable {
  case everybody
  case only([ParticipantID])
  case except([ParticipantID])
}
