import MeetingModel
import OwnerTestSupport
import Ownership
import Wire

@testable import Media

/// The simulated media service. It uses the production types for sessions and rights, and handles
/// requests as `MediaService` does, without sockets.
final class SimulatedMedia {
  private(set) var sessions: [SessionID: MediaServerSession] = [:]
  private(set) var term: UInt64 = 1
  private var gateways = GatewayTable(silence: .seconds(3))
  private var announcements = ReannouncementRequests()
  private var now: ContinuousClock.Instant
  private var ended: Set<MeetingID> = []

  private static let grace = Duration.seconds(15)

  init(at now: ContinuousClock.Instant) { self.now = now }

  /// Kills and restarts media. Media forgets everything.
  func restart() {
    term += 1
    sessions = [:]
    gateways = GatewayTable(silence: .seconds(3))
    announcements = ReannouncementRequests()
  }

  func advance(to now: ContinuousClock.Instant) {
    self.now = now
    let gone = Set(gateways.removeSilent(at: now))
    sessions = sessions.filter { _, session in
      let end = session.contact.end(dropAfter: Self.grace, gatewayGrace: Self.grace)
      return !gone.contains(session.contact.gateway) && !(end.map { $0 <= now } ?? false)
    }
  }

  // MARK: State

  /// Returns the participant that others hear when the session speaks; `nil` if others hear
  /// nothing.
  func voice(of session: SessionID) -> ParticipantID? {
    sessions[session].flatMap { $0.rights.mayBeHeard ? $0.heardAs : nil }
  }

  // MARK: Requests

  func admit(_ request: V1.AdmitRequest, _ reply: (Status?) -> Void) {
    do {
      let description = try AnnouncedSession(request)
      hear(description.gateway, run: description.gatewayRun)
      if let session = sessions[description.session], session.isNewer(than: description) {
        throw MediaError.admittedElsewhere
      }
      if let session = sessions[description.session], session.meeting == description.meeting {
        session.take(description)
      } else {
        sessions[description.session] = MediaServerSession(
          description, key: SessionSlot(0), sendSSRC: 1, receiveSSRC: 2)
      }
      reply(nil)
    } catch {
      reply((error as? MediaError)?.status ?? Status(.internalError, "\(error)"))
    }
  }

  func promote(_ record: V1.GatewaySession, _ gateway: GatewayName, _ reply: (Status?) -> Void) {
    do {
      guard let session = sessions[try SessionID(wire: record.sessionID)], owns(session, gateway)
      else {
        throw MediaError.unknownSession
      }
      guard session.rights.isReplica || session.promotedAs != nil else {
        throw MediaError.notInReplica
      }
      let identity = ParticipantIdentity(
        id: try ParticipantID(record.participantID),
        externalUserID: try ExternalUserID(record.externalUserID))
      session.promote(to: identity, MediaRights(capabilities: .all, isContent: false))
      reply(nil)
    } catch {
      reply((error as? MediaError)?.status ?? Status(.internalError, "\(error)"))
    }
  }

  func demote(_ id: SessionID, by caller: GatewayName) {
    if let session = sessions[id], session.promotedAs != nil, owns(session, caller) {
      session.demote()
    }
  }

  func release(_ id: SessionID, by caller: GatewayName) {
    if let session = sessions[id], owns(session, caller) { sessions[id] = nil }
  }

  func endMeeting(_ meeting: MeetingID) {
    sessions = sessions.filter { $0.value.meeting != meeting }
  }

  /// - Returns: The number of media's present request that the gateway admit all its sessions
  ///   again; 0 if media requests nothing.
  func gatewayIsAlive(_ gateway: GatewayName, run: UInt64, echoing echo: UInt64) -> UInt64 {
    hear(gateway, run: run)
    return announcements.number(for: gateway, echoing: echo)
  }

  private func hear(_ gateway: GatewayName, run: UInt64) {
    if gateways.hear(gateway, run: run, at: now) {
      for session in sessions.values where session.contact == .connected(gateway) {
        session.contact = .orphaned(gateway, since: now)
      }
    }
    guard !gateways.hasAnnounced(gateway) else { return }
    gateways.didAnnounce(gateway)
    announcements.want(from: gateway, run: run)
  }

  private func owns(_ session: MediaServerSession, _ caller: GatewayName) -> Bool {
    session.contact.gateway == caller
  }
}
