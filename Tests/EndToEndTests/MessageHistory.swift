/// What became of a message that somebody sent.
struct SentMessage: Sendable {
  /// How its sending ended.
  enum Outcome: Sendable, Hashable {
    /// It is on disk, at this place.
    case accepted(sequence: UInt64, id: String)
    case throttled
    /// It was not sent, or nobody knows whether it was.
    case unknown
  }

  let text: String
  let sender: String
  let lifetimeMs: Int

  /// How many histories had begun when it was sent: their owners were present.
  let listeners: Int

  /// Which one of its sender's it is, where these left one behind the other on one connection.
  var turn: Int?
  var outcome: Outcome
}

/// A message as somebody heard it.
struct HeardMessage: Sendable, Hashable {
  let sequence: UInt64
  let id: String
  let text: String
  let sender: String
  let lifetimeMs: Int

  /// How long after the server accepted it, by the clocks of this machine.
  let ageMs: Int64
}

/// All that one client heard, in its order.
struct MessageHistory: Sendable {
  let name: String

  /// How many clients had begun to hear before it.
  let position: Int
  let heard: [HeardMessage]

  /// Every gap was filled, as the client was told.
  let isComplete: Bool
}

/// Judges what clients of one meeting have heard by what they have sent.
struct HistoryChecker {
  let sent: [SentMessage]
  let histories: [MessageHistory]

  /// A message may arrive this much later than its lifetime says: it was on its way.
  private static let patienceMs: Int64 = 3_000

  /// What is wrong, in words; empty when nothing is.
  func violations() -> [String] {
    histories.flatMap { order(of: $0) + completeness(of: $0) + lifetimes(of: $0) } + agreement()
      + senderOrder()
  }

  /// What one sends later has a later place, whatever happened in between.
  private func senderOrder() -> [String] {
    Dictionary(grouping: sent, by: \.sender).values.flatMap { messages -> [String] in
      let accepted = messages.compactMap { message -> (turn: Int, sequence: UInt64)? in
        guard case .accepted(let sequence, _) = message.outcome, let turn = message.turn else {
          return nil
        }
        return (turn, sequence)
      }.sorted { $0.turn < $1.turn }
      return zip(accepted, accepted.dropFirst()).compactMap { one, next in
        guard next.sequence <= one.sequence else { return nil }
        return "turn \(next.turn) of \(messages[0].sender) overtook turn \(one.turn)"
      }
    }
  }

  /// Each place once and in order, nothing of its own, nothing that was thrown back.
  private func order(of history: MessageHistory) -> [String] {
    var wrong: [String] = []
    for (one, next) in zip(history.heard, history.heard.dropFirst())
    where next.sequence <= one.sequence {
      wrong.append("\(history.name) heard \(next.sequence) after \(one.sequence)")
    }
    let throttled = Set(sent.filter { $0.outcome == .throttled }.map(\.text))
    for message in history.heard {
      if message.sender == history.name {
        wrong.append("\(history.name) heard its own \(message.text)")
      }
      if throttled.contains(message.text) {
        wrong.append("\(history.name) heard \(message.text), which was throttled")
      }
    }
    let texts = history.heard.map(\.text)
    if Set(texts).count != texts.count { wrong.append("\(history.name) heard a text twice") }
    return wrong
  }

  /// Whoever was present, or came within the lifetime, has what was acknowledged.
  private func completeness(of history: MessageHistory) -> [String] {
    guard history.isComplete else { return ["\(history.name) was told that something is lost"] }
    let heard = Set(history.heard.map(\.sequence))
    return sent.compactMap { message in
      guard case .accepted(let sequence, _) = message.outcome, message.sender != history.name,
        !heard.contains(sequence)
      else { return nil }
      let wasPresent = history.position < message.listeners
      // A short life may end while a connection is lost, or before somebody comes.
      let isDue = message.lifetimeMs == 0 ? wasPresent : message.lifetimeMs >= 60_000
      return isDue ? "\(history.name) misses \(message.text) at \(sequence)" : nil
    }
  }

  private func lifetimes(of history: MessageHistory) -> [String] {
    history.heard.compactMap { message in
      guard message.lifetimeMs > 0, message.ageMs > Int64(message.lifetimeMs) + Self.patienceMs
      else { return nil }
      return "\(history.name) heard \(message.text), which had expired"
    }
  }

  /// A place has one message, whoever speaks of it.
  private func agreement() -> [String] {
    var places: [UInt64: Set<String>] = [:]
    for message in histories.flatMap(\.heard) {
      places[message.sequence, default: []].insert("\(message.id) \(message.text)")
    }
    for message in sent {
      guard case .accepted(let sequence, let id) = message.outcome else { continue }
      places[sequence, default: []].insert("\(id) \(message.text)")
    }
    return places.filter { $0.value.count > 1 }.map { "place \($0.key) has \($0.value.sorted())" }
  }
}
