internal import Bus
internal import LocalInstallation
internal import MeetingViews
internal import Output
internal import Wire

/// The steps in which no process or connection fails.
extension DemoScenario {
  func rosterAlike(_ cast: ObservedClientGroup, _ whole: ObservedClientGroup.Checkpoint) throws
    -> OutputRecord
  {
    let everybody = Set(cast.clients.map(\.attendeeID))
    for client in cast.clients where client.journal.roster != everybody {
      throw CommandFailure(
        code: "ROSTER_DIFFERS",
        message: "\(client.name) sees \(client.journal.roster.sorted()), "
          + "but the attendees are \(everybody.sorted()).")
    }
    try cast.requireNothing("a leave or drop", since: whole) { event in
      switch event {
      case .attendee(.left, _), .attendee(.dropped, _): true
      default: false
      }
    }
    return [
      "attendees": JSONValue(everybody.count),
      "seen_by": .list(cast.clients.map { .text($0.name) }),
    ]
  }

  /// Mutes and unmutes Ada, and then Chloe, whose client is written in another language.
  func muteAndUnmute(_ cast: ObservedClientGroup) async throws -> OutputRecord {
    var detail = OutputRecord()
    for client in [cast.clients[0], cast.clients[2]] {
      let heard = try await cast.exerciseMute(by: client, since: cast.mark, within: Self.soon)
      detail["\(client.name)_muted"] = .object(heard.mute)
      detail["\(client.name)_unmuted"] = .object(heard.unmute)
    }
    return detail
  }

  /// Mutes Ada as the operator. Checks that she cannot unmute herself before the operator ends the
  /// mute.
  func operatorMute(_ cast: ObservedClientGroup, in meetingID: String) async throws -> OutputRecord
  {
    let ada = cast.clients[0]
    let ben = cast.clients[1]
    return try await OperatorConnection.with(gatewayIn: house.places) { connection in
      let muting = cast.mark
      try await setMuted(ada, true, in: meetingID, connection)
      let muted = try await cast.hear(.muted, ada, since: muting, within: Self.soon)
      let wasTaken = ada.setMuted(false)
      // In the order of the meeting's events, Ben's mute follows Ada's attempt to unmute herself.
      // So the clients would receive any effect of Ada's attempt before Ben's mute.
      _ = try await cast.exerciseMute(by: ben, since: cast.mark, within: Self.soon)
      try cast.requireNothing("Ada unmuting herself", since: muting) {
        $0.says(.unmuted, ada.attendeeID)
      }
      let lifting = cast.mark
      try await setMuted(ada, false, in: meetingID, connection)
      let unmuted = try await cast.hear(.unmuted, ada, since: lifting, within: Self.soon)
      return [
        "muted": .object(muted), "unmute_refused": .bool(!wasTaken), "unmuted": .object(unmuted),
      ]
    }
  }

  private func setMuted(
    _ client: any ObservedClient, _ isMuted: Bool, in meetingID: String,
    _ connection: OperatorConnection
  ) async throws(CommandFailure) {
    _ = try await connection.call(
      V1.OperatorMethods.setMutedByOperator,
      V1.SetMutedByOperatorRequest(
        meetingID: meetingID, attendeeID: client.attendeeID, isMuted: isMuted))
  }

  /// Waits longer than the timeout after which the server drops a lost attendee, and then checks
  /// all events since the start of the demo.
  ///
  /// Each attendee must have joined once. Each guest must have left or been dropped, as the guest's
  /// script requires. No data message may have arrived twice, or after a later message.
  func nothingFalse(
    _ cast: ObservedClientGroup, _ guests: DemoExtraAttendees, _ chat: DemoMessageClients?
  ) async throws -> OutputRecord {
    let wait: Duration = .seconds(6)
    try await cast.requireNobodyMoves(for: wait)
    let expected = guests.changes(beside: cast)
    for client in cast.clients {
      var heard: [String: [ObservedEvent.Change]] = [:]
      for entry in client.journal.entries(from: 0) where entry.event.isPresence {
        guard case .attendee(let change, let attendee) = entry.event else { continue }
        heard[attendee.attendeeID, default: []].append(change)
      }
      guard heard == expected else {
        throw CommandFailure(
          code: "FALSE_EVENT", message: "\(client.name) received \(heard) instead of \(expected).")
      }
    }
    return [
      "waited_ms": JSONValue(wait.milliseconds), "joined_once": JSONValue(expected.count),
      "dropped_once": JSONValue(guests.count(of: .dropped)),
      "left_once": JSONValue(guests.count(of: .left)),
      "messages_in_order": .object(try chat?.everybody.requireRisingSequences() ?? [:]),
    ]
  }
}
