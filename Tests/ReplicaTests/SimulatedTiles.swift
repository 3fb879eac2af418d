import MeetingModel
import OwnerTestSupport
import Ownership
import Wire

@testable import VideoTiles

/// The simulated video-tiles service. It uses the production core, and handles requests as
/// `VideoTilesService` does, without sockets.
final class SimulatedTiles {
  private(set) var boards: TileBoards
  private(set) var term: UInt64 = 1
  private var now: ContinuousClock.Instant
  private var joins = LatestCalls<SessionID>()
  private var held: [Held] = []

  /// An answer that waits for recovery to end.
  private struct Held {
    let until: ContinuousClock.Instant
    let act: () -> Void
    let giveUp: () -> Void
  }

  private static let rules = VideoTilesRules(maxCameras: 2)

  init(at now: ContinuousClock.Instant) {
    self.now = now
    boards = TileBoards(rules: Self.rules, term: 1, seed: 1, at: now)
  }

  /// Kills and restarts video-tiles. The service forgets everything.
  func restart(expecting gateways: Set<GatewayName>) {
    term += 1
    boards = TileBoards(rules: Self.rules, term: term, seed: term, at: now)
    (held, joins) = ([], LatestCalls())
    decide { $0.expect(gateways, at: now) }
  }

  func advance(to now: ContinuousClock.Instant) {
    self.now = now
    decide { $0.advance(to: now) }
    for late in held where late.until <= now { late.giveUp() }
    held.removeAll { $0.until <= now }
  }

  // MARK: State

  /// Returns the publishers of video and their sessions.
  func publishers(in meeting: MeetingID) -> [(ParticipantID, SessionID)] {
    boards.board(of: meeting)?.boardSources.map { ($0.publisher, $0.session) } ?? []
  }

  /// Returns the receiving sessions. The value for a session is the participant as whom the session
  /// may publish; `nil` if the session may not publish.
  func sessions(in meeting: MeetingID) -> [SessionID: ParticipantID?] {
    let sessions = boards.board(of: meeting)?.sessions.all ?? []
    return sessions.reduce(into: [:]) { $0[$1.id] = .some($1.publisher?.id) }
  }

  // MARK: Requests

  func join(
    _ session: V1.TileSession, _ gateway: GatewayName, run: UInt64, isResume: Bool,
    _ reply: @escaping (Status?) -> Void
  ) {
    let join = { [unowned self] in
      let (meeting, description) = try AnnouncedSession.read(session)
      try decide {
        try $0.join(
          description, in: meeting, through: gateway, run: run, as: isResume ? .resume : .start,
          at: now)
      }
      return (meeting, description.id)
    }
    guard isResume else {
      return whenSettled { [unowned self] in
        attempt(reply) {
          _ = try join()
          reply(nil)
        }
      }
    }
    attempt(reply) {
      let (meeting, id) = try join()
      let number = joins.begin(id)
      whenSettled { [unowned self] in
        _ = joins.end(number, of: id)
        reply(nil)
      } ifGivenUp: { [unowned self] in
        guard joins.end(number, of: id) else { return }
        decide { $0.detach(id, in: meeting, from: gateway, silentFor: .zero, at: now) }
      }
    }
  }

  func promote(
    _ record: V1.GatewaySession, _ gateway: GatewayName, run: UInt64,
    _ reply: @escaping (Status?) -> Void
  ) {
    whenSettled { [unowned self] in
      attempt(reply) {
        let meeting = try MeetingID(record.meetingID)
        let identity = ParticipantIdentity(
          id: try ParticipantID(record.participantID),
          externalUserID: try ExternalUserID(record.externalUserID))
        let session = try SessionID(wire: record.sessionID)
        try decide { boards in
          boards.hear(gateway, run: run, at: now)
          _ = try boards.decide(in: meeting, at: now) { board throws(VideoTilesError) in
            try board.promote(session, as: identity, .all, through: gateway, at: now)
          }
        }
        reply(nil)
      }
    }
  }

  func demote(
    _ session: SessionID, in meeting: MeetingID, by caller: GatewayName,
    _ reply: @escaping (Status?) -> Void
  ) {
    whenSettled { [unowned self] in
      decide { $0.inform(meeting, at: now) { $0.demote(session, by: caller) } }
      reply(nil)
    }
  }

  func publish(
    _ session: SessionID, in meeting: MeetingID, _ reply: @escaping (Status?) -> Void
  ) {
    whenSettled { [unowned self] in
      attempt(reply) {
        let camera = try Self.camera()
        try decide {
          _ = try $0.decide(in: meeting, at: now) { board throws(VideoTilesError) in
            try board.publish(camera, from: session)
          }
        }
        reply(nil)
      }
    }
  }

  func leave(
    _ session: SessionID, in meeting: MeetingID, _ reply: @escaping (Status?) -> Void
  ) {
    whenSettled { [unowned self] in
      decide { $0.inform(meeting, at: now) { $0.leave(session, at: now) } }
      reply(nil)
    }
  }

  func detach(_ session: SessionID, in meeting: MeetingID, by caller: GatewayName) {
    decide {
      $0.detach(session, in: meeting, from: caller, silentFor: .seconds(1), at: now)
    }
  }

  func endMeeting(_ meeting: MeetingID) { decide { $0.endMeeting(meeting, at: now) } }

  func gatewayIsAlive(_ gateway: GatewayName, run: UInt64) -> Bool {
    decide { $0.gatewayIsAlive(gateway, run: run, at: now) }
  }

  func announce(_ sessions: [V1.TileSession], by gateway: GatewayName, run: UInt64) {
    let part = SessionAnnouncementPage(
      reading: sessions, by: gateway, run: run, isLast: true, id: \.sessionID
    ) { try AnnouncedSession.read($0) }
    decide { _ = $0.announce(part, at: now) }
  }

  /// A camera as clients declare it.
  static var video: V1.PublishedVideo {
    get throws {
      V1.PublishedVideo(
        kind: .camera,
        layers: [
          V1.VideoLayer(
            width: 640, height: 360, framesPerSecond: 15, bitsPerSecond: 600_000, codec: .vp8,
            temporalLayers: 1)
        ])
    }
  }

  private static func camera() throws -> SourceDeclaration { try SourceDeclaration(video) }

  private func attempt(_ reply: (Status?) -> Void, _ body: () throws -> Void) {
    do { try body() } catch {
      reply((error as? VideoTilesError)?.status ?? Status(.internalError, "\(error)"))
    }
  }

  private func whenSettled(
    _ act: @escaping () -> Void, ifGivenUp giveUp: @escaping () -> Void = {}
  ) {
    guard boards.isRecovering else { return act() }
    held.append(Held(until: now + .seconds(2), act: act, giveUp: giveUp))
  }

  @discardableResult
  private func decide<Answer>(_ body: (inout TileBoards) throws -> Answer) rethrows -> Answer {
    defer {
      _ = boards.takeEffects()
      if !boards.isRecovering, !held.isEmpty {
        let waiting = held
        held = []
        for call in waiting { call.act() }
      }
    }
    return try body(&boards)
  }
}
