import MeetingModel

/// The languages that a meeting's participants read and speak.
struct LanguageChoices: Sendable {
  /// A session's choice, or an operator's choice for an attendee.
  struct Choice: Sendable, Hashable {
    /// The session; `nil` if an operator made the choice for the attendee, who may be absent.
    let session: SessionID?
    let participant: ParticipantID

    /// The attendee in the primary; `nil` unless the session is promoted.
    var promotedAs: ParticipantID?

    /// The language of all results that the participant gets; `nil` if the participant gets each
    /// result in the language that the talker spoke.
    var view: LanguageCode?

    /// The language that the participant speaks; `nil` for the meeting's language.
    var spoken: LanguageCode?

    fileprivate var names: [ParticipantID] { [participant] + (promotedAs.map { [$0] } ?? []) }
  }

  private var bySession: [SessionID: Choice] = [:]
  private var byOperator: [ParticipantID: Choice] = [:]

  /// The maximum number of choices of one meeting.
  static let most = 20_000

  /// Sets or removes a choice.
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

  /// Returns the language that a talker's session has chosen. If the session has chosen none,
  /// returns the language that an operator has chosen for the talker.
  func spoken(by talker: ParticipantID) -> LanguageCode? {
    let chosen = bySession.values.filter { $0.names.contains(talker) && $0.spoken != nil }
    // If an attendee has several sessions, the result does not depend on the order of the sessions.
    return chosen.map { $0.spoken }.compactMap { $0 }.min { $0.text < $1.text }
      ?? byOperator[talker]?.spoken
  }

  /// All chosen languages that participants speak.
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

  /// The chosen languages that participants read.
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
