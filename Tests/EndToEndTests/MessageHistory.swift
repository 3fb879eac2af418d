/// A sent message and its outcome.
struct SentMessage: Sendable {
  /// The outcome of sending a message.
  enum Outcome: Sendable, Hashable {
    /// Messaging stored the message with this sequence number.
    case accepted(sequence: UInt64, id: String)
    case throttled
    /// The client did not send the message, or does not know the outcome.
    case unknown
  }

  let text: String
  let sender: String
  let lifetimeMs: Int

  /// The number of clients that were present when the client sent the message.
  let listeners: Int

  /// The position of the message among its sender's messages, if the sender sent these messages in
  /// order on one connection.
  var turn: Int?
  var outcome: Outcome
}

/// A message that a client received.
struct HeardMessage: Sendable, Hashable {
  let sequence: UInt64
  let id: String
  let text: String
  let sender: String
  let lifetimeMs: Int

  /// The time from the server's acceptance of the message to the message's arrival at the client,
  /// in milliseconds.
  let ageMs: Int64
}

/// All messages that one client received, in order.
struct MessageHistory: Sendable {
  let name: String

  /// The number of clients that joined before this client.
  let position: Int
  let heard: [HeardMessage]

  /// Whether the server never reported lost messages to the client.
  let isComplete: Bool
}

/// Compares the messages that the clients of a meeting received with the messages that these
/// clients sent.
struct HistoryChecker {
  let sent: [SentMessage]
  let histories: [MessageHistory]

  /// The tolerated delay after the end of a message's lifetime, in milliseconds.
  private static let patienceMs: Int64 = 3_000

  /// Returns a text for each violation.
  func violations() -> [String] {
    histories.flatMap { order(of: $0) + completeness(of: $0) + lifetimes(of: $0) } + agreement()
      + senderOrder()
  }

  /// Checks that later messages of a sender have higher sequence numbers.
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

  /// Checks that a client received each sequence number once and in order. The client must have
  /// received none of its own messages and no throttled message.
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

  /// Checks that a client received two kinds of accepted messages of other clients: every message
  /// without a lifetime that another client sent while this client was present, and every message
  /// with a long lifetime.
  private func completeness(of history: MessageHistory) -> [String] {
    guard history.isComplete else { return ["\(history.name) was told that something is lost"] }
    let heard = Set(history.heard.map(\.sequence))
    return sent.compactMap { message in
      guard case .accepted(let sequence, _) = message.outcome, message.sender != history.name,
        !heard.contains(sequence)
      else { return nil }
      let wasPresent = history.position < message.listeners
      // A short lifetime may end while a client has no connection, or before a client joins.
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

  /// Checks that each sequence number belongs to the same message at all clients.
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
