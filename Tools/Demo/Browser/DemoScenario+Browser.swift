internal import BrowserTrials
internal import MeetingViews
internal import Output
internal import Wire

/// The step in which an attendee joins as a browser does.
extension DemoScenario {
  /// Plays the step.
  ///
  /// - Parameter chat: The clients that receive data messages; `nil` skips the exchange of
  ///   messages.
  func browser(
    _ cast: ObservedClientGroup, _ chat: DemoMessageClients?, in meeting: ControlAPIClient.Created,
    _ guests: inout DemoExtraAttendees
  ) async {
    let greta = try? await report.require(.browserJoins) {
      let greta = BrowserGuest(try await createAttendee("greta", in: meeting))
      let detail = try await greta.visit { try await browserJoins(greta, cast, chat) }
      return (greta.attendeeID, detail)
    }
    if let greta { guests.expect([.joined, .left], of: greta) }
  }

  /// Checks that Greta sees the whole roster, exchanges a message with Ada, and leaves.
  private func browserJoins(
    _ greta: BrowserGuest, _ cast: ObservedClientGroup, _ chat: DemoMessageClients?
  ) async throws -> OutputRecord {
    let coming = cast.mark
    try await greta.client.join()
    let id = greta.attendeeID
    let joined = try await cast.hear("greta joined", since: coming, within: Self.messageLimit) {
      $0.says(.joined, id)
    }
    try await greta.client.hear("she is in the roster", within: Self.messageLimit) { frame in
      (frame.audioStreamIDInfo?.streams ?? []).contains { $0.attendeeID == id }
    }
    var everybody = Set(cast.clients.map(\.name) + ["greta"])
    if let chat { everybody.insert(chat.eve.name) }
    guard greta.client.roster == everybody else {
      throw CommandFailure(
        code: "ROSTER_DIFFERS",
        message: "greta sees \(greta.client.roster.sorted()), not \(everybody.sorted()).")
    }
    var detail: OutputRecord = ["joined": .object(joined), "attendees": JSONValue(everybody.count)]
    if let chat { detail["arrived"] = .object(try await exchange(greta, chat)) }
    let going = cast.mark
    try await greta.client.leave()
    try await greta.client.hear("her leave is acknowledged", within: Self.messageLimit) {
      $0.type == .leaveAck
    }
    _ = try await cast.hear("greta left", since: going, within: Self.soon) { $0.says(.left, id) }
    return detail
  }

  private func exchange(_ greta: BrowserGuest, _ chat: DemoMessageClients) async throws
    -> OutputRecord
  {
    let (question, answer) = ("Can you read me?", "Yes, as if you were here.")
    let mark = chat.everybody.mark
    try await greta.client.write(question, on: DemoTopic.browser.rawValue)
    let arrived = try await chat.everybody.hear(
      "greta's message arrived", since: mark, within: Self.messageLimit
    ) { $0.message?.topic == DemoTopic.browser.rawValue && $0.message?.text == question }
    _ = try await chat.ada.send(answer, on: .browser)
    try await greta.client.hear("Ada's answer arrived", within: Self.messageLimit) { frame in
      (frame.dataMessage?.messages ?? []).contains { $0.data == Array(answer.utf8) }
    }
    return arrived
  }
}
