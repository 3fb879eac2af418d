internal import MeetingViews
internal import Output

/// The steps about data messages in which no service fails.
extension DemoScenario {
  /// The longest time until one message, or the last of several messages, has reached all clients.
  static let messageLimit: Duration = .seconds(20)

  /// Plays the steps.
  ///
  /// - Returns: The clients that receive data messages in later steps, or `nil` if Eve did not
  ///   join.
  func messages(
    _ cast: ObservedClientGroup, from ada: InProcessClient, to ben: InProcessClient,
    in meeting: ControlAPIClient.Created,
    _ guests: inout DemoExtraAttendees
  ) async -> DemoMessageClients? {
    let chat = try? await report.require(.messagesArrive) {
      let coming = cast.mark
      let eve = try python(.tail, try await createAttendee("eve", in: meeting))
      try await eve.start()
      _ = try await cast.hear(.joined, eve, since: coming, within: .seconds(40))
      let chat = DemoMessageClients(ada: ada, ben: ben, eve: eve)
      return (chat, try await messagesArrive(chat))
    }
    guard let chat else {
      for step: DemoStepResult.Step in [.messagesLateJoiner, .messagesThrottled] {
        report.skip(step, because: "no client receives data messages")
      }
      return nil
    }
    guests.expect([.joined], of: chat.eve.attendeeID)
    let finn = try? await report.require(.messagesLateJoiner) {
      let attendee = try await createAttendee("finn", in: meeting)
      let finn = InProcessClient.listening(attendee)
      return (finn.attendeeID, try await lateJoiner(finn, chat, cast))
    }
    if let finn { guests.expect([.joined, .left], of: finn) }
    await report.check(.messagesThrottled) { try await throttled(chat) }
    return chat
  }

  /// Sends text, JSON and arbitrary bytes as Ada, and checks that all three arrive unchanged.
  private func messagesArrive(_ chat: DemoMessageClients) async throws -> OutputRecord {
    let text = "Grüße aus der Küche 🎈"
    let everyByte = (0..<8).flatMap { _ in UInt8.min...UInt8.max }
    let payloads: [(name: String, data: Any, bytes: [UInt8])] = [
      ("text", text, Array(text.utf8)),
      ("json", ["answer": [4, 2]], Array(#"{"answer":[4,2]}"#.utf8)),
      ("nul", [0x61, 0x00, 0x62] as [UInt8], [0x61, 0x00, 0x62]),
      ("not_utf8", [0xC3, 0x28, 0xFF] as [UInt8], [0xC3, 0x28, 0xFF]),
      ("every_byte", everyByte, everyByte),
    ]
    let receivers = chat.receivers
    let mark = receivers.mark
    var expected: [DataMessageWithPosition] = []
    var bytes = OutputRecord()
    for payload in payloads {
      let sequence = try await chat.ada.send(payload.data, on: .bytes)
      expected.append(DataMessageWithPosition(sequence: sequence, data: payload.bytes))
      bytes[payload.name] = JSONValue(payload.bytes.count)
    }
    let arrived = try await receivers.hear(
      expected, on: .bytes, since: mark, within: Self.messageLimit)
    return ["bytes": .object(bytes), "arrived": .object(arrived)]
  }

  /// Ada sends one message with a lifetime and one without, and then Finn joins. Checks that, of
  /// these two messages, Finn receives only the message with a lifetime.
  private func lateJoiner(
    _ finn: InProcessClient, _ chat: DemoMessageClients, _ cast: ObservedClientGroup
  ) async throws -> OutputRecord {
    let receivers = chat.receivers
    let mark = receivers.mark
    let ada = chat.ada
    let fleeting = try await logged("for who is here", by: ada, keptFor: 0)
    let kept = try await logged("for who comes later too", by: ada, keptFor: 60_000)
    let late = ObservedClientGroup(clients: [finn])
    let coming = late.mark
    try finn.start()
    let times = try await late.hear([kept], on: .late, since: coming, within: .seconds(40))
    // This message is the last in the log. So it arrives after every earlier message that Finn may
    // receive.
    let live = try await logged("welcome, Finn", by: ada, keptFor: 0)
    _ = try await late.hear([kept, live], on: .late, since: coming, within: Self.messageLimit)
    _ = try await receivers.hear(
      [fleeting, kept, live], on: .late, since: mark, within: Self.messageLimit)
    let going = cast.mark
    finn.stop()
    _ = try await cast.hear(.left, finn, since: going, within: Self.soon)
    let got = finn.journal.entries(from: 0).compactMap(\.event.message).map {
      DataMessageWithPosition($0)
    }
    return [
      "got": .object([
        "lifetime_0": JSONValue(got.count { $0 == fleeting }),
        "lifetime_60000": JSONValue(got.count { $0 == kept }),
        "live": JSONValue(got.count { $0 == live }),
      ]), "kept_after_ms": .object(times),
    ]
  }

  private func logged(
    _ text: String, by ada: InProcessClient, keptFor lifetimeMs: Int32
  ) async throws -> DataMessageWithPosition {
    let sequence = try await ada.send(text, on: .late, lifetimeMs: lifetimeMs)
    return DataMessageWithPosition(sequence: sequence, data: Array(text.utf8))
  }
}
