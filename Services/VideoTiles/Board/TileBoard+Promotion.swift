import MeetingModel
import Ownership

/// Promotion of replicas' sessions into the meeting.
extension TileBoard {
  /// Promotes a replica's session into the meeting.
  ///
  /// Another session may already be promoted as the same attendee. In that case `presence` admits
  /// the newer session, and notifies the older session's gateway. That gateway then demotes the
  /// older session. Until then, the older session cannot take a source of the newer session.
  ///
  /// - Parameters:
  ///   - since: When the session's client requested the promotion, in milliseconds since
  ///     1970-01-01T00:00:00Z.
  ///   - gateway: The gateway that reports the promotion. The session must be connected through
  ///     this gateway; `nil` matches any gateway.
  /// - Returns: Whether the session may send its camera, and the effects.
  mutating func promote(
    _ session: SessionID, as publisher: ParticipantIdentity, _ capabilities: AttendeeCapabilities,
    sinceMs since: UInt64 = 0, through gateway: GatewayName? = nil,
    at now: ContinuousClock.Instant
  ) throws(VideoTilesError) -> (camera: CameraAvailability, effects: [TileEffect]) {
    guard let index = sessions.index(of: session),
      gateway == nil || gateway == sessions[index].contact.gateway
    else {
      throw isRecovering ? .recovering : .unknownSession
    }
    if sessions[index].place == .primary { throw .notInReplica }
    var changes = TileBoardChanges()
    if case .promoted(let former, _, _) = sessions[index].place, former != publisher {
      endPromotion(of: session, changes: &changes)
    }
    let decided = decision(on: publisher.id.attendee, at: now) ?? capabilities
    sessions[index].place = .promoted(as: publisher, decided, sinceMs: since)
    changes.refreshed.insert(session)
    changes.concernsCameras = true
    let effects = conclude(changes)
    return (availability(of: sessions[index]), effects)
  }

  /// Ends a session's promotion, so that the session only watches.
  ///
  /// Does nothing if the session is not promoted, or is connected through another gateway. The
  /// value `nil` for `gateway` matches any gateway.
  mutating func demote(_ session: SessionID, by gateway: GatewayName?) -> [TileEffect] {
    guard let contact = sessions[session]?.contact, gateway == nil || gateway == contact.gateway
    else { return [] }
    var changes = TileBoardChanges()
    endPromotion(of: session, changes: &changes)
    return conclude(changes)
  }

  mutating func endPromotion(of session: SessionID, changes: inout TileBoardChanges) {
    guard let index = sessions.index(of: session), case .promoted = sessions[index].place
    else { return }
    endSources(of: session, changes: &changes)
    sessions[index].place = .replica
    changes.refreshed.insert(session)
    changes.concernsCameras = true
  }
}
