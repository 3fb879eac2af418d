package import MeetingViews

/// The behaviour of a bot in a meeting, as a value.
///
/// The caller passes in joins, leaves, messages and times. The script returns the lines that the
/// bot writes and the sentences that it speaks. The script uses no session, voice or clock.
package struct BotScript: Sendable {
  /// An action of the bot.
  package enum Deed: Hashable, Sendable {
    /// Writes a line to the chat.
    case write(String)

    /// Speaks a sentence.
    case say(String)
  }

  private let ownID: String
  private let start: ContinuousClock.Instant
  private var company: [AttendeeName] = []
  private var nextSentence: ContinuousClock.Instant?
  private var nextLine: ContinuousClock.Instant?
  private var sentences = 0
  private var lines = 0
  private var lastAnswers: [ContinuousClock.Instant] = []

  /// The interval between two sentences.
  package static let sentenceInterval = Duration.seconds(15)

  /// The interval between two lines of the chat.
  package static let lineInterval = Duration.seconds(60)

  /// The delay of the first sentence after the first attendee joins.
  private static let firstSentence = Duration.seconds(2)

  /// The maximum number of answers within ``answerWindow``. The limit prevents another bot or a
  /// flood of messages from keeping the bot busy.
  package static let mostAnswers = 10
  package static let answerWindow = Duration.seconds(10)

  /// The longest text that the bot repeats or speaks, in characters.
  package static let longestText = 200

  /// The sentences that the bot speaks without a request, in words that engines recognize well.
  package static let sentences = [
    "The meeting will begin in ten minutes.",
    "We should talk about the plan for next year.",
    "Please send me the report by tomorrow morning.",
    "You can read what I say when captions are on.",
  ]

  /// The lines that the bot writes without a request.
  package static let lines = [
    "Raise your hand with the button below: everybody here sees it.",
    "Close your network for a moment: you will miss nothing, and get nothing twice.",
    "Who comes later reads what was written before, for five minutes.",
    "The operator's view is at /operator: it mutes me, if you have heard enough.",
  ]

  /// - Parameters:
  ///   - ownID: The bot's attendee id.
  ///   - now: The time of the bot's join.
  package init(ownID: String, at now: ContinuousClock.Instant) {
    (self.ownID, start) = (ownID, now)
  }

  // MARK: Events

  /// Handles an attendee who joins, or who was present before the bot.
  package mutating func comes(
    _ attendee: AttendeeName, at now: ContinuousClock.Instant
  ) -> [Deed] {
    guard attendee.attendeeID != ownID, !company.contains(attendee) else { return [] }
    if company.isEmpty {
      nextSentence = now + Self.firstSentence
      nextLine = now + Self.lineInterval
    }
    company.append(attendee)
    return answer(
      "Hello \(attendee.shown)! I am a bot. I speak now and then, and answer what you "
        + "write: try `help`.", at: now)
  }

  /// Handles an attendee who leaves.
  package mutating func goes(_ attendee: AttendeeName) {
    company.removeAll { $0 == attendee }
    guard company.isEmpty else { return }
    (nextSentence, nextLine) = (nil, nil)
  }

  /// Handles a line that an attendee writes.
  package mutating func reads(
    _ text: String, by writer: AttendeeName, at now: ContinuousClock.Instant
  ) -> [Deed] {
    guard writer.attendeeID != ownID else { return [] }
    let words = text.split(whereSeparator: \.isWhitespace)
    let rest = words.dropFirst().joined(separator: " ").prefix(Self.longestText)
    switch words.first?.lowercased() {
    case nil: return []
    case "help":
      return answer(
        "`who`: who is here. `since`: how long I have been here. `say` and words: I say them.",
        at: now)
    case "who":
      let names = company.map(\.shown).joined(separator: ", ")
      return answer("Beside me there are \(company.count): \(names).", at: now)
    case "since":
      return answer("I have been here for \((now - start).components.seconds) seconds.", at: now)
    case "say" where !rest.isEmpty:
      let isAnswered = answer("I say: \(rest)", at: now)
      return isAnswered.isEmpty ? [] : isAnswered + [.say(String(rest))]
    default:
      return answer(
        "\(writer.shown) wrote \(text.count) characters: "
          + "\(text.prefix(Self.longestText))", at: now)
    }
  }

  /// Returns the actions that are due. The caller calls this method about every second.
  package mutating func waits(until now: ContinuousClock.Instant) -> [Deed] {
    var deeds: [Deed] = []
    if let due = nextSentence, due <= now {
      deeds.append(.say(Self.sentences[sentences % Self.sentences.count]))
      sentences += 1
      nextSentence = now + Self.sentenceInterval
    }
    if let due = nextLine, due <= now {
      deeds.append(.write(Self.lines[lines % Self.lines.count]))
      lines += 1
      nextLine = now + Self.lineInterval
    }
    return deeds
  }

  private mutating func answer(_ text: String, at now: ContinuousClock.Instant) -> [Deed] {
    lastAnswers.removeAll { now - $0 >= Self.answerWindow }
    guard lastAnswers.count < Self.mostAnswers else { return [] }
    lastAnswers.append(now)
    return [.write(Self.fitting(text))]
  }

  /// Returns the text, or as much of its beginning as fits in a message. A text with many names can
  /// be too long.
  private static func fitting(_ text: String) -> String {
    guard text.utf8.count > DisplayedDataMessage.longest else { return text }
    var bytes = "…".utf8.count
    return text.prefix { character in
      bytes += character.utf8.count
      return bytes <= DisplayedDataMessage.longest
    } + "…"
  }
}
