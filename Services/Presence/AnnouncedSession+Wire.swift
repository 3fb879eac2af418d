import MeetingModel
import Wire

extension AnnouncedSession {
  /// Reads a session that a gateway announces to a new owner of the meeting.
  ///
  /// The new owner does not know when the attendee joined, so the attendee keeps the time at which
  /// the session opened.
  ///
  /// - Parameter now: The current time, in milliseconds since 1970-01-01T00:00:00Z. An attendee
  ///   never has a later time of the join, even if the gateway's clock is ahead.
  static func read(
    announced session: V1.GatewaySession, at now: UInt64
  ) throws -> (MeetingID, AnnouncedSession) {
    let opened = session.openedAtMs
    return try read(session, joinedAtMs: opened == 0 ? now : min(opened, now))
  }

  /// Reads a session from a gateway's message.
  ///
  /// - Parameters:
  ///   - session: The gateway's description; `nil` if the message contains none.
  ///   - id: The session's id, if it differs from the id in `session`.
  ///   - joinedAtMs: The time of the join, in milliseconds since 1970-01-01T00:00:00Z.
  /// - Returns: The meeting and the session.
  /// - Throws: ``PresenceError/malformed(field:rule:)`` or `ModelError` for an invalid field.
  static func read(
    _ session: V1.GatewaySession?, id: [UInt8]? = nil, joinedAtMs: UInt64
  ) throws -> (MeetingID, AnnouncedSession) {
    guard let session else { throw PresenceError.malformed(field: "session", rule: "present") }
    let primary = session.primaryMeetingID
    guard primary.isEmpty || !session.isPromoted else {
      throw PresenceError.malformed(field: "is_promoted", rule: "false in a replica")
    }
    let description = AnnouncedSession(
      id: try SessionID(wire: id ?? session.sessionID),
      participant: try ParticipantID(session.participantID),
      externalUserID: try ExternalUserID(session.externalUserID),
      displayName: try DisplayName(wire: session.displayName),
      capabilities: try AttendeeCapabilities(session.capabilities),
      mute: MuteState(
        isOwn: session.isMuted, isByOperator: session.isMutedByOperator,
        isUnknown: session.isMuteUnknown),
      capacity: session.capacity == 0 ? nil : Int(session.capacity),
      isLocked: session.isLocked,
      kind: primary.isEmpty ? .ordinary : .replica(of: try MeetingID(primary)),
      isPromoted: session.isPromoted, joinedAtMs: joinedAtMs, openedAtMs: session.openedAtMs)
    return (try MeetingID(session.meetingID), description)
  }
}

extension LevelReport {
  /// Reads a report from a message. If a level in the message is unspecified or unknown, this level
  /// has not changed.
  init(_ level: V1.AttendeeLevel) throws(ModelError) {
    self.init(
      participant: try ParticipantID(level.participantID),
      volume: VolumeLevel(level.volume), signal: SignalStrength(level.signal))
  }
}
