import MeetingModel
import ServiceHost
import Storage

// Creates host tokens, and carries out the requests of hosts in their own meeting.
extension RESTHandler {
  /// Issues a host token of a meeting, for an application.
  ///
  /// - Throws: `NotFoundException` if the meeting does not exist.
  func createHostToken(of id: MeetingID) async throws(RESTError) -> [String: JSONValue] {
    _ = try await done { () async throws(Status) in try await control.meeting(id) }
    return hostToken(of: id)
  }

  /// Issues a host token, and returns the members of the answer that contains it.
  func hostToken(of id: MeetingID) -> [String: JSONValue] {
    let (token, grant) = hostTokens.issue(for: id, at: control.settings.now() / 1_000)
    return [
      "HostToken": .string(token.text),
      "ExpiresAt": TimestampFormatter.value(grant.expiresAt * 1_000),
    ]
  }

  /// Returns the host whose token a request carries.
  ///
  /// - Throws: `UnauthorizedClientException` (401) if the request has no valid token;
  ///   `ForbiddenException` (403) for the token of another meeting.
  func host(
    of meeting: Result<MeetingID, RESTError>?, _ request: RESTRequest
  ) throws(RESTError) -> Caller {
    guard let id = try meeting?.get() else {
      throw RESTError(.serviceFailure, "The path names no meeting.")
    }
    let parts = (request.header("Authorization") ?? "").split(separator: " ")
    guard parts.count == 2, parts[0].lowercased() == "bearer" else {
      throw RESTError(
        .unauthorizedClient, "Send the host token as Authorization: Bearer TOKEN.")
    }
    do throws(HostTokenRefusal) {
      _ = try hostTokens.check(
        HostToken(String(parts[1])), for: id, at: control.settings.now() / 1_000)
    } catch {
      metrics.refusedHostTokens[HostTokenRefusalReason(error)].increment()
      throw RESTError(error)
    }
    return .host(of: id)
  }

  private var hostTokens: HostTokenIssuer { control.store.tokens.hostTokens }

  // MARK: Mutes

  func muteAsHost(_ attendee: AttendeeID, in meeting: MeetingID) async throws(RESTError) {
    try await done { () async throws(Status) in try await control.mute(attendee, in: meeting) }
  }

  /// Mutes all attendees who are not muted, except those in `spared`.
  func muteAllAsHost(
    _ spared: Set<AttendeeID>, in meeting: MeetingID
  ) async throws(RESTError) -> [String: JSONValue] {
    let count = try await done { () async throws(Status) in
      try await control.muteAll(in: meeting, except: spared)
    }
    return ["Muted": .integer(Int64(count))]
  }

  // MARK: Requests to attendees

  func askToUnmuteAsHost(
    _ attendee: AttendeeID, in meeting: MeetingID
  ) async throws(RESTError) {
    try await done { () async throws(Status) in
      try await control.askToUnmute(attendee, in: meeting)
    }
  }

  func lowerHandAsHost(_ attendee: AttendeeID, in meeting: MeetingID) async throws(RESTError) {
    try await done { () async throws(Status) in
      try await control.lowerHand(of: attendee, in: meeting)
    }
  }

  func lowerAllHandsAsHost(in meeting: MeetingID) async throws(RESTError) {
    try await done { () async throws(Status) in try await control.lowerAllHands(in: meeting) }
  }

  func appointAsHost(_ attendee: AttendeeID, in meeting: MeetingID) async throws(RESTError) {
    try await done { () async throws(Status) in try await control.appoint(attendee, in: meeting) }
  }
}

extension RESTError {
  /// Maps a refused host token to an error for clients.
  init(_ refusal: HostTokenRefusal) {
    switch refusal {
    case .forged, .otherKey:
      self.init(
        .unauthorizedClient,
        "This is not a host token of this installation; get one from CreateHostToken.")
    case .expired:
      self.init(
        .unauthorizedClient, "The host token has expired; get a new one from CreateHostToken.")
    case .otherMeeting:
      self.init(
        .forbidden, "The host token belongs to another meeting; send a host token of this meeting.")
    }
  }
}

extension JSONMembers {
  /// Reads the body of MuteAllAsHost.
  func sparedAttendees() throws(RESTError) -> Set<AttendeeID> {
    guard let ids = try strings("ExceptAttendeeIds", 0...250) else { return [] }
    var spared: Set<AttendeeID> = []
    for id in ids {
      spared.insert(
        try checked("ExceptAttendeeIds") { () throws(InvalidModelValue) in try AttendeeID(id) })
    }
    return spared
  }
}
