import MeetingModel
import Wire

extension AnnouncedSession {
  /// Reads a session from a gateway's message.
  ///
  /// - Parameters:
  ///   - session: The gateway's description; `nil` if the message contains none.
  ///   - id: The session's id, if it differs from the id in `session`.
  ///   - joinedAtMs: The present time, in milliseconds since 1970-01-01T00:00:00Z. This is the time
  ///     of the join, unless the session joined earlier.
  ///   - isAnnounced: Whether a gateway announces the session. The session then joined earlier, at
  ///     another owner of the roster.
  /// - Returns: The meeting and the session.
  /// - Throws: ``PresenceError/malformed(field:rule:)`` or `InvalidModelValue` for an invalid
  ///   field.
  static func read(
    _ session: V1.GatewaySession?, id: [UInt8]? = nil, joinedAtMs: UInt64,
    isAnnounced: Bool = false
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
      isPromoted: session.isPromoted,
      joinedAtMs: session.joinedAtMs(now: joinedAtMs, isAnnounced: isAnnounced),
      openedAtMs: session.openedAtMs)
    return (try MeetingID(session.meetingID), description)
  }
}

extension V1.GatewaySession {
  /// Returns the time of the session's join, in milliseconds since 1970.
  ///
  /// A session that an earlier owner of the roster has admitted keeps the time of its join.
  fileprivate func joinedAtMs(now: UInt64, isAnnounced: Bool) -> UInt64 {
    let known = joinedAtMs > 0 ? joinedAtMs : isAnnounced ? openedAtMs : 0
    return known > 0 ? min(known, now) : now
  }
}

extension LevelReport {
  /// Reads a report from a message. If a level in the message is unspecified or unknown, this level
  /// has not changed.
  init(_ level: V1.AttendeeLevel) throws(InvalidModelValue) {
    self.init(
      participant: try ParticipantID(level.participantID),
      volume: VolumeLevel(level.volume), signal: SignalStrength(level.signal))
  }
}
