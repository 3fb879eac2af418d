import Bus
import MeetingModel
import Wire

// Sends `presence` the knocks at locked meetings, and the requests of hosts about knocks.
extension PresenceServiceConnector {
  /// Adds a knock, or returns the state of a known knock.
  func knock(
    _ request: V1.KnockRequest, at meeting: MeetingID
  ) async throws(Status) -> KnockState {
    let reply = try await asking(ownerOf: meeting) { owner, options throws(Status) in
      try await owner.knock(request, options: options)
    }
    guard let state = KnockState(reply.state) else {
      throw Status(.unavailable, "Presence answered with an unknown state of a knock; try again.")
    }
    return state
  }

  /// Records that a person who knocked enters the meeting.
  func take(_ knock: KnockID, as entry: GUID, at meeting: MeetingID) async throws(Status) {
    let request = V1.TakeKnockRequest(
      meetingID: meeting.text, knockID: knock.text, entryID: entry.text)
    _ = try await asking(ownerOf: meeting) { owner, options throws(Status) in
      try await owner.takeKnock(request, options: options)
    }
  }

  /// Ends an entry for which the gateway has created no attendee.
  func putBack(_ knock: KnockID, as entry: GUID, at meeting: MeetingID) async throws(Status) {
    let request = V1.ReturnKnockRequest(
      meetingID: meeting.text, knockID: knock.text, entryID: entry.text)
    _ = try await asking(ownerOf: meeting) { owner, options throws(Status) in
      try await owner.returnKnock(request, options: options)
    }
  }

  /// Returns the waiting knocks of a meeting, oldest first.
  func knocks(at meeting: MeetingID) async throws(Status) -> [V1.WaitingKnock] {
    let request = V1.ListKnocksRequest(meetingID: meeting.text)
    return try await asking(ownerOf: meeting) { owner, options throws(Status) in
      try await owner.listKnocks(request, options: options)
    }.knocks
  }

  /// Admits or denies a waiting person.
  func answer(
    _ knock: KnockID, at meeting: MeetingID, admits: Bool
  ) async throws(Status) {
    let request = V1.AnswerKnockRequest(
      meetingID: meeting.text, knockID: knock.text, isAdmitted: admits)
    _ = try await asking(ownerOf: meeting) { owner, options throws(Status) in
      try await owner.answerKnock(request, options: options)
    }
  }

  /// Returns whether the page of a host has asked for knocks within the last 15 s.
  func hasHost(in meeting: MeetingID) async throws(Status) -> Bool {
    let request = V1.GetHostPresenceRequest(meetingID: meeting.text)
    return try await asking(ownerOf: meeting) { owner, options throws(Status) in
      try await owner.getHostPresence(request, options: options)
    }.isHostPresent
  }

  /// Calls the owner of a meeting, and repeats the call while `presence` restarts.
  private func asking<Reply>(
    ownerOf meeting: MeetingID,
    _ ask: (PresenceClient, CallOptions) async throws(Status) -> Reply
  ) async throws(Status) -> Reply {
    try await context.callRetry.run(on: context.thread) { () async throws(Status) in
      let owner = try follower.reachableOwner(of: meeting)
      return try await ask(
        owner.client, CallOptions(timeout: .seconds(2), term: owner.term))
    }
  }
}
