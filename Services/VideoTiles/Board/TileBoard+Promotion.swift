import MeetingModel
import Ownership

/// Sessions of replicas that act in the meeting.
extension TileBoard {
  /// A replica's session acts in the meeting from now on.
  ///
  /// Another one may be promoted as the same attendee at that moment. Presence lets the newer one
  /// in; the gateway of the other learns it from there, and demotes it. Until then it takes no
  /// source of the newer one's.
  ///
  /// - Parameters:
  ///   - since: When its client asked for it, in milliseconds since 1970-01-01T00:00:00Z.
  ///   - gateway: Who says so; it must be the one that has the session. `nil`: any.
  /// - Returns: Whether there is room for its camera.
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
    var changes = BoardChanges()
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

  /// A promoted session goes back to watching. Nothing happens if it is not promoted, or is
  /// connected through another gateway than the one that says so; `nil` stands for any.
  mutating func demote(_ session: SessionID, by gateway: GatewayName?) -> [TileEffect] {
    guard let contact = sessions[session]?.contact, gateway == nil || gateway == contact.gateway
    else { return [] }
    var changes = BoardChanges()
    endPromotion(of: session, changes: &changes)
    return conclude(changes)
  }

  mutating func endPromotion(of session: SessionID, changes: inout BoardChanges) {
    guard let index = sessions.index(of: session), case .promoted = sessions[index].place
    else { return }
    endSources(of: session, changes: &changes)
    sessions[index].place = .replica
    changes.refreshed.insert(session)
    changes.concernsCameras = true
  }
}
