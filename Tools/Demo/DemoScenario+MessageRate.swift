internal import MeetingViews
internal import Output

/// The step in which a client sends more messages than a meeting accepts.
extension DemoScenario {
  private static let burstLength = 300
  /// The default limits of a meeting: the messages of one burst, and the messages per second.
  private static let (burst, perSecond) = (200, 100)

  /// Sends bursts of 300 messages as Ada, until the server throttles some messages.
  ///
  /// No client may receive a throttled message. Every client must receive each accepted message
  /// once and in order.
  ///
  /// A slow machine may spread a burst over seconds, so that the server accepts the whole burst.
  /// Then Ada sends another burst. If the rate never exceeds the limit, the step passes and its
  /// detail says `too_slow`.
  func throttled(_ chat: DemoMessageClients) async throws -> OutputRecord {
    let receivers = chat.receivers
    let sender = ObservedClientGroup(clients: [chat.ada])
    let (mark, returning) = (receivers.mark, sender.mark)
    var burst = MessageBurst()
    var sent = 0
    let start = ContinuousClock.now
    while burst.returned.isEmpty, sent < 5 * Self.burstLength {
      let texts = (sent + 1...sent + Self.burstLength).map { "message \($0)" }
      try burst.add(try await chat.ada.sendAtOnce(texts, on: .burst))
      sent += texts.count
    }
    guard let lastReturned = burst.returned.last else {
      let due = Double(Self.burst) + Double(Self.perSecond) * ((.now - start) / .seconds(1))
      if Double(sent) <= due * 1.25 {
        return ["sent": JSONValue(sent), "accepted": JSONValue(sent), "too_slow": true]
      }
      throw CommandFailure(
        code: "NOT_THROTTLED", message: "The gateway accepted all \(sent) messages.")
    }
    guard burst.accepted.map(\.sequence) == burst.accepted.map(\.sequence).sorted() else {
      throw CommandFailure(
        code: "MESSAGES_DIFFER",
        message: "The log does not have the messages in the order in which Ada sent them.")
    }
    _ = try await sender.hear(
      "a message returned to its sender", since: returning, within: Self.messageLimit
    ) { event in
      if case .throttled(let message) = event { message.text == lastReturned } else { false }
    }
    try requireReturned(burst.returned, to: sender, since: returning)
    // This message is the last in the log, so no message of the burst can arrive after it.
    let last = try await chat.ada.sendPatiently("the end", on: .burst).logged
    let arrived = try await receivers.hear(
      burst.accepted + [last], on: .burst, since: mark, within: Self.messageLimit)
    return [
      "sent": JSONValue(sent), "accepted": JSONValue(burst.accepted.count),
      "throttled": JSONValue(burst.returned.count),
      "retry_after_ms": JSONValue(burst.longestWaitMs), "arrived": .object(arrived),
    ]
  }

  private func requireReturned(
    _ texts: [String], to sender: ObservedClientGroup, since mark: ObservedClientGroup.Checkpoint
  ) throws(CommandFailure) {
    let events = sender.heard(since: mark) { _ in true }.values.joined()
    let returned = events.compactMap { event in
      if case .throttled(let message) = event { message.text } else { nil }
    }
    guard returned == texts else {
      throw CommandFailure(
        code: "MESSAGES_DIFFER",
        message: "\(returned.count) messages returned to their sender instead of \(texts.count).")
    }
  }
}

/// The outcomes of the messages of one burst, in order.
private struct MessageBurst {
  private(set) var accepted: [DataMessageWithPosition] = []
  private(set) var returned: [String] = []
  private(set) var longestWaitMs = 0

  /// Adds outcomes.
  ///
  /// - Throws: ``CommandFailure`` when a message was neither accepted nor throttled.
  mutating func add(_ outcomes: [SendOutcome]) throws(CommandFailure) {
    for outcome in outcomes {
      switch outcome {
      case .accepted(let logged): accepted.append(logged)
      case .throttled(let text, let waitMs):
        returned.append(text)
        longestWaitMs = max(longestWaitMs, waitMs)
      case .failed(let failure): throw failure
      }
    }
  }
}
