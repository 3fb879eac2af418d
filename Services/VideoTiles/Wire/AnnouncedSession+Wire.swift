import MeetingModel
import Wire

extension AnnouncedSession {
  /// Reads a session from a gateway's message.
  ///
  /// - Parameter session: The gateway's description; `nil` if the message contains none.
  /// - Returns: The meeting and the session.
  /// - Throws: ``VideoTilesError/malformed(field:rule:)`` or `InvalidModelValue` for an invalid
  ///   field.
  static func read(_ session: V1.TileSession?) throws -> (MeetingID, AnnouncedSession) {
    guard let session else { throw VideoTilesError.malformed(field: "session", rule: "present") }
    let capabilities = try AttendeeCapabilities(session.capabilities)
    let description = AnnouncedSession(
      id: try SessionID(wire: session.sessionID),
      identity: ParticipantIdentity(
        id: try ParticipantID(session.participantID),
        externalUserID: try ExternalUserID(session.externalUserID),
        displayName: try DisplayName(wire: session.displayName)),
      capabilities: capabilities, place: try ActingMeeting(session, capabilities),
      choices: try ClientVideoPreferences(session.choices ?? V1.VideoChoices()),
      openedAtMs: session.openedAtMs)
    return (try MeetingID(session.meetingID), description)
  }
}

extension ActingMeeting {
  fileprivate init(_ session: V1.TileSession, _ capabilities: AttendeeCapabilities) throws {
    if session.replicaMeetingID.isEmpty {
      guard session.promotedAs == nil else {
        throw VideoTilesError.malformed(
          field: "promoted_as", rule: "absent without replica_meeting_id")
      }
      self = .primary
      return
    }
    _ = try MeetingID(session.replicaMeetingID)
    guard let promoted = session.promotedAs else {
      self = .replica
      return
    }
    self = .promoted(
      as: try ParticipantIdentity(promoted), capabilities, sinceMs: session.promotedAtMs)
  }
}

extension ClientVideoPreferences {
  /// Reads a client's choices. Ignores tiles with the number 0.
  init(_ choices: V1.VideoChoices) throws {
    try choices.check()
    self.init(
      published: try choices.published.map { try SourceDeclaration($0) },
      subscriptions: try choices.subscriptions.map {
        .chosen(try ReceiverVideoSubscription.read($0.subscriptions))
      } ?? .automatic,
      pausedTiles: Set(choices.pausedTileIDs.compactMap { TileID($0) }),
      isReceiving: choices.isReceiving,
      decodableCodecs: VideoCodecSet(declared: choices.canDecode) ?? .undeclared)
  }
}

extension VideoCodecSet {
  /// Reads the codecs that a client declares; returns `nil` if the client declares no codecs.
  ///
  /// Ignores unknown codecs.
  init?(declared codecs: [V1.VideoCodec]) {
    guard !codecs.isEmpty else { return nil }
    self.init(codecs.compactMap { VideoCodec($0) })
  }
}
