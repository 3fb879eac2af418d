internal import MeetingViews
internal import Output

extension ObservedClientGroup {
  /// Waits until every client has received the last of some data messages.
  ///
  /// - Parameter expected: The messages that must have arrived on the topic since the mark, in
  ///   order.
  /// - Returns: The milliseconds from the mark until each client received the last message.
  /// - Throws: ``CommandFailure`` with the name of a client that received other messages.
  func hear(
    _ expected: [DataMessageWithPosition], on topic: DemoTopic, since mark: Checkpoint,
    within limit: Duration
  ) async throws -> OutputRecord {
    guard let last = expected.last?.sequence else { return [:] }
    let times = try await hear("message \(last) arrived", since: mark, within: limit) {
      $0.message?.sequence == last
    }
    try require(expected, on: topic, since: mark)
    return times
  }

  /// Checks that each client received exactly these messages on the topic since the mark.
  ///
  /// - Throws: ``CommandFailure`` if a client received other messages.
  func require(_ expected: [DataMessageWithPosition], on topic: DemoTopic, since mark: Checkpoint)
    throws
  {
    let heard = heard(since: mark) { $0.message?.topic == topic.rawValue }
    for client in clients {
      let messages = (heard[client.name] ?? []).compactMap(\.message).map {
        DataMessageWithPosition($0)
      }
      guard messages != expected else { continue }
      throw CommandFailure(
        code: "MESSAGES_DIFFER",
        message: "\(client.name) received \(Self.difference(of: messages, from: expected))")
    }
  }

  /// Checks that no message arrived twice, or after a later message.
  ///
  /// - Returns: The number of data messages that each client received since its first event.
  /// - Throws: ``CommandFailure`` for a message that arrived twice or too late.
  func requireRisingSequences() throws -> OutputRecord {
    let heard = heard(since: beginning) { $0.message != nil }
    var counts = OutputRecord()
    for client in clients {
      let sequences = (heard[client.name] ?? []).compactMap(\.message?.sequence)
      if let turn = zip(sequences, sequences.dropFirst()).first(where: { $0 >= $1 }) {
        throw CommandFailure(
          code: "MESSAGES_DIFFER",
          message: "\(client.name) received message \(turn.1) after message \(turn.0).")
      }
      counts[client.name] = JSONValue(sequences.count)
    }
    return counts
  }

  /// Describes the first difference between received and expected messages.
  private static func difference(
    of heard: [DataMessageWithPosition], from expected: [DataMessageWithPosition]
  ) -> String {
    let count = zip(heard, expected).prefix { $0 == $1 }.count
    let common = "\(heard.count) messages instead of \(expected.count); after \(count) correct:"
    guard count < heard.count else { return "\(common) nothing more arrived." }
    guard count < expected.count else {
      return "\(common) unexpected message \(heard[count].sequence) arrived."
    }
    let (came, due) = (heard[count], expected[count])
    return came.sequence == due.sequence
      ? "\(common) message \(due.sequence) has other bytes."
      : "\(common) message \(came.sequence) arrived instead of \(due.sequence)."
  }
}
