import Bus
import MeetingModel
import ServiceHost
import Storage
import Wire

/// The gateway's client of the service `presence`: registers sessions in the roster of their
/// meeting, and sends clients the changes of the roster.
final class PresenceServiceConnector {
  private(set) lazy var follower = OwnerFollower(self, in: context)
  let context: GatewayContext

  /// The rosters for new sessions.
  private(set) lazy var shared = RosterSnapshotCache(of: self)

  /// Writes joins and departures into the meetings' records in the store.
  private(set) lazy var recorder = AttendanceRecorder(of: self, in: context)

  /// The last volumes and signal strengths of each meeting. The gateway sends these values to
  /// clients that were too slow for single updates.
  private(set) var levels: [MeetingID: ParticipantLevels] = [:]

  /// The instances for which the connector has scheduled an announcement.
  private var aboutToBeTold: Set<String> = []

  init(in context: GatewayContext) { self.context = context }

  static let away = Status(
    .unavailable, "The presence service does not answer; try again.",
    session: .audioServiceUnavailable)

  /// The recipient of an event that is only for the meetings' records.
  private static let nobody = IDText(ParticipantID.nobody)

  // MARK: Levels

  /// Sends the skipped levels to a client that has read its waiting items.
  func refreshLevels(of session: GatewayClientSession) {
    guard session.owesLevels, !session.link.isCongested,
      let cursor = follower.knownHub(of: session.sourceMeeting)?.follower.cursor,
      let board = levels[session.sourceMeeting]
    else { return }
    session.owesLevels = false
    session.queue(.levelsChanged(board.all(epoch: cursor.epoch)))
  }

  /// Applies the volumes that changes of mutes imply.
  func applyMutes(_ changes: [V1.MuteChange], in meeting: MeetingID) {
    for change in changes { levels[meeting]?.apply(change) }
  }

  private func deliverLevels(_ body: [UInt8], to hub: StreamHub) {
    let item = PackedSessionEvents(body)
    if let events = try? V1.SessionEvents(packed: body) {
      levels[hub.meeting, default: ParticipantLevels()].update(with: events)
    }
    for session in hub.sessions where session.cursors[.roster] != nil {
      if session.link.isCongested {
        session.owesLevels = true
        context.metrics.levelsSpared.increment()
      } else {
        session.queue(item)
      }
    }
  }

  // MARK: Endings

  /// After the delivery of an event, ends the sessions that the event lists as ended.
  private func endSessions(after header: V1.EventHeader, in hub: StreamHub) {
    for ended in header.ended {
      guard let id = SessionID(bytes: ended.sessionID) else { continue }
      let status = ended.status.flatMap { Status($0) }
      // The loop includes opening sessions, because the event that ends a session may arrive before
      // the answer to the session's join.
      for session in context.sessions.all(of: id) {
        if session.meeting == hub.meeting {
          context.coordinator.end(session, status, .byPresence)
        } else if let status {
          context.coordinator.endPromotion(of: session, with: status)
        }
      }
    }
    guard let status = header.meetingEnded.flatMap({ Status($0) }) else { return }
    context.coordinator.meetingEnded(hub.meeting, with: status)
    for session in context.sessions.all + context.sessions.opening {
      if session.meeting == hub.meeting {
        context.coordinator.end(session, status, .withMeeting)
      } else if session.sourceMeeting == hub.meeting {
        context.coordinator.endPromotion(of: session, with: status)
      }
    }
  }

  /// Reports to `messaging` that `presence` has dropped sessions of any gateway. `messaging` then
  /// deletes the positions of these sessions.
  private func lose(_ sessions: [[UInt8]], of hub: StreamHub) {
    guard !sessions.isEmpty else { return }
    // The hub of a replica has no sessions, because the sessions of a replica read the primary's
    // stream.
    let member = hub.sessions.first ?? context.sessions.all.first { $0.meeting == hub.meeting }
    let source = member?.sourceMeeting ?? hub.meeting
    for session in sessions.compactMap({ SessionID(bytes: $0) }) {
      context.coordinator.sessionLost(session, in: source)
    }
  }

  /// Sends an attendee of a replica the events that are only for this attendee: its capabilities,
  /// and whether an operator has muted it.
  ///
  /// The client's position is a position in the primary's stream, so the item has no position.
  private func tellMember(_ header: V1.EventHeader, _ body: [UInt8], of hub: StreamHub) {
    guard let events = try? V1.SessionEvents(packed: body) else { return }
    for session in context.sessions.all
    where session.isReplica && session.meeting == hub.meeting
      && header.onlyForInPlace.contains(IDText(session.participant))
    {
      session.queue(PackedSessionEvents(V1.SessionEvents(events: events.events)))
    }
  }

  // MARK: Snapshots

  /// Replaces the clients' rosters with a snapshot, because the epoch is new or the gateway missed
  /// too many events.
  private func install(_ snapshot: V1.RosterSnapshot, in hub: StreamHub) {
    levels[hub.meeting, default: ParticipantLevels()].replace(with: snapshot)
    let item = PackedSessionEvents(snapshot.asItem)
    for session in hub.sessions where session.cursors[.roster] != nil {
      session.cursors[.roster] = snapshot.cursor
      session.queue(item)
    }
    learnMutes(in: snapshot, of: hub)
    recorder.take(snapshot, of: hub.meeting)
    // The lost events may have ended sessions of this gateway. The answer to an announcement lists
    // the ended sessions, even in a new epoch.
    announceSoon(toOwnerOf: hub.meeting)
  }

  /// Schedules only one announcement to an instance, even if several meetings of the instance need
  /// an announcement.
  private func announceSoon(toOwnerOf meeting: MeetingID) {
    guard let instance = follower.owner(of: meeting)?.instance,
      aboutToBeTold.insert(instance).inserted
    else { return }
    context.after(Self.announcementDelay) { [weak self] in
      guard let self else { return }
      aboutToBeTold.remove(instance)
      context.coordinator.announce(Self.id, to: instance)
    }
  }

  /// The delay of an announcement. During this time, the snapshots of many meetings may arrive.
  private static let announcementDelay = Duration.milliseconds(200)
}

// MARK: - Following presence

extension PresenceServiceConnector: OwnerFollowerAdapter {
  static let id = ServiceID(name: "presence")

  static var stream: MeetingStream? { .roster }

  static func topic(of meeting: MeetingID) -> EventTopic { .roster(of: meeting) }

  static func client(over channel: RequestChannel) -> PresenceClient { PresenceClient(channel) }

  func askLimits(
    _ client: PresenceClient, in term: UInt64, then: @escaping (Result<V1.Limits, Status>) -> Void
  ) { client.getLimits(V1.GetLimitsRequest(), options: CallOptions(term: term), then: then) }

  func sayAlive(
    _ client: PresenceClient, _ request: V1.GatewayAliveRequest,
    then: @escaping (Result<V1.GatewayAliveReply, Status>) -> Void
  ) { client.gatewayAlive(request, options: .alive, then: then) }

  func askMissed(
    of meeting: MeetingID, after cursor: StreamCursor, _ client: PresenceClient,
    then: @escaping (Result<MissedEventsReply, Status>) -> Void
  ) {
    let request = V1.ReplayRequest(meeting, after: cursor)
    client.replay(request, options: .replay) { [unowned self] result in
      then(
        result.flatMap { reply in
          switch reply.outcome {
          case .events(let events): .success(.events(events.events))
          case .snapshot(let snapshot):
            .success(
              .snapshot(at: snapshot.cursor, tick: snapshot.tick) {
                [unowned self] hub in install(snapshot, in: hub)
              })
          case nil: .failure(.emptyAnswer)
          }
        })
    }
  }

  func isUnattended(_ meeting: MeetingID, at cursor: StreamCursor) {
    recorder.isUnattended(meeting, at: cursor)
  }

  /// Announces the sessions again if `presence` does not know their meeting.
  func ownerForgot(_ meeting: MeetingID) { follower.announce(toOwnerOf: meeting) }

  func deliverVolatile(_ header: V1.EventHeader, _ body: [UInt8], to hub: StreamHub) {
    deliverLevels(body, to: hub)
  }

  func didDeliver(_ header: V1.EventHeader, _ body: [UInt8], to hub: StreamHub) {
    shared.note(header, body, of: hub.meeting)
    learnMutes(in: body, of: hub)
    let changes = recorder.note(header, body, of: hub.meeting)
    for change in changes where change.departure != nil {
      levels[hub.meeting]?.forget(change.who.id.text)
    }
    if let only = header.onlyForInPlace.first, only != Self.nobody {
      tellMember(header, body, of: hub)
    }
    lose(header.lostSessions, of: hub)
    // Most events end no session and no meeting, so the method returns here.
    guard !header.ended.isEmpty || header.meetingEnded != nil else { return }
    endSessions(after: header, in: hub)
  }

  func forget(_ meeting: MeetingID) {
    levels[meeting] = nil
    shared.forget(meeting)
    recorder.release(meeting)
  }
}
