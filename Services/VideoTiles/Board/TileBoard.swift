import MeetingModel
import Ownership

/// The video sources of one meeting, the layers that each receiver gets, and the reasons why tiles
/// are paused.
///
/// The board is a value. Callers pass in events and the present time. The board returns effects in
/// order. Applying all published events to a snapshot yields the next snapshot: ``sources`` and
/// each receiver's ``tiles(of:)``. The decisions depend on subscriptions, flowing layers and the
/// capacity of each link (``LayerAllocator``), but not on the order in which the board received
/// these inputs. An operation that throws changes nothing.
///
/// A board *recovers* after a new owner took over. During recovery, the board collects the
/// gateways' announcements and publishes nothing, because some gateways may still have sessions to
/// announce. The state at the end of recovery is the first snapshot of the board's stream.
struct TileBoard: MeetingState {
  let rules: VideoTilesRules

  /// The sources in the order of their tile ids.
  var boardSources: [TileBoardSource] = []

  var sessions = BoardSessions()
  var phase: Phase

  var numbers: SourceIDAllocator

  /// For each publisher whose session came back without a source, the source's tile id.
  ///
  /// A browser declares its video only after its session has come back. If the browser then
  /// publishes the source again, the source gets its tile id again.
  var formerTiles: [ParticipantID: TileID] = [:]
  var allocator = LayerAllocator()
  var emptySince: ContinuousClock.Instant?

  /// The codecs that all receivers decode, as last published in the board's stream.
  var codecs = VideoCodecSet.all
  var capabilityDecisions: [AttendeeID: CapabilityDecision] = [:]

  /// The effects that wait for the end of recovery.
  var held: [TileEffect] = []

  enum Phase: Hashable, Sendable {
    case recovering
    case settled
    case ended(at: ContinuousClock.Instant)
  }

  /// - Parameters:
  ///   - term: The owner's term, from 1. The term determines the range of the board's tile ids.
  ///   - seed: The seed of the SSRCs.
  init(
    rules: VideoTilesRules, isRecovering: Bool, term: UInt64, seed: UInt64,
    at now: ContinuousClock.Instant
  ) {
    self.rules = rules
    phase = isRecovering ? .recovering : .settled
    numbers = SourceIDAllocator(term: term, seed: seed)
    emptySince = now
  }

  var isRecovering: Bool { phase == .recovering }

  var hasEnded: Bool { if case .ended = phase { true } else { false } }

  func count(of kind: VideoSourceKind) -> Int {
    boardSources.count { $0.kind == kind }
  }

  // MARK: Admission

  /// Admits a session, or updates the values that the session declares.
  ///
  /// The session replaces another session of the same participant, except in three cases. In these
  /// cases, the board rejects the session:
  ///
  /// - The other session is at another gateway and is newer (see
  ///   ``SessionArrival/isOvertaken(openedAtMs:by:)``).
  /// - The other session is connected, and the rejected session is resumed or announced.
  /// - The other session is a connected content session.
  ///
  /// If the new session declares the sources of the replaced session, these sources continue. A
  /// message from a session's former gateway changes nothing. The board reports rejected sources
  /// with an event.
  mutating func join(
    _ session: AnnouncedSession, through gateway: GatewayName, as arrival: SessionArrival,
    at now: ContinuousClock.Instant
  ) throws(VideoTilesError) -> [TileEffect] {
    var changes = TileBoardChanges()
    try admit(session, through: gateway, as: arrival, at: now, changes: &changes)
    return conclude(changes)
  }

  /// Admits the sessions that a gateway announces.
  ///
  /// - Returns: The rejected sessions and the effects. A rejected session does not affect other
  ///   sessions.
  mutating func announce(
    _ sessions: [AnnouncedSession], through gateway: GatewayName,
    at now: ContinuousClock.Instant
  ) -> (refused: [RejectedSessionAnnouncement<VideoTilesError>], effects: [TileEffect]) {
    var changes = TileBoardChanges()
    var refused: [RejectedSessionAnnouncement<VideoTilesError>] = []
    for session in sessions {
      do {
        try admit(session, through: gateway, as: .announcement, at: now, changes: &changes)
      } catch {
        refused.append(RejectedSessionAnnouncement(id: session.id, reason: error))
      }
    }
    return (refused, conclude(changes))
  }

  private mutating func admit(
    _ described: AnnouncedSession, through gateway: GatewayName, as arrival: SessionArrival,
    at now: ContinuousClock.Instant, changes: inout TileBoardChanges
  ) throws(VideoTilesError) {
    if hasEnded { throw .meetingEnded }
    if isRecovering, arrival == .start { throw .recovering }
    let session = corrected(described, at: now)
    let before = sessions[session.id]
    if let before, before.participant != session.identity.id { throw .sessionTaken }
    if let before, isOvertaken(session, by: before, through: gateway, as: arrival) {
      // An announcement from the former gateway is no error: the former gateway will soon notice
      // that its client has moved to another gateway.
      guard arrival == .announcement else { throw .joinedElsewhere }
      return
    }
    // If the gateway repeats its announcement, the announcement may be older than calls in
    // progress.
    if arrival == .announcement, !isRecovering, let before, before.contact == .connected(gateway),
      before.openedAtMs == session.openedAtMs, before.place == session.place
    {
      return
    }
    let wasHere = isRecovering || arrival == .announcement
    if before == nil {
      try makeRoom(
        for: session, through: gateway, as: arrival, wasHere: wasHere, changes: &changes)
    }
    var entry = before ?? TileBoardSession(session, contact: .connected(gateway), rules: rules)
    entry.renew(from: session, contact: .connected(gateway))
    sessions.put(entry)
    emptySince = nil
    if before == nil { changes.newSessions.insert(session.id) }
    changes.refreshed.insert(session.id)
    changes.concernsCameras = true
    takeOver(session.choices.published, of: session.id, wasHere: wasHere, changes: &changes)
    if !isRecovering { forgetMissingSources(of: session.id) }
  }

  /// Checks whether the board may admit a new session, and removes the session that the new session
  /// replaces.
  private mutating func makeRoom(
    for session: AnnouncedSession, through gateway: GatewayName, as arrival: SessionArrival,
    wasHere: Bool, changes: inout TileBoardChanges
  ) throws(VideoTilesError) {
    let isContent = session.identity.id.isContent
    if let rival = sessions.holder(of: session.identity.id) {
      guard mayReplace(rival, as: arrival),
        !isOvertaken(session, by: rival, through: gateway, as: arrival)
      else {
        throw isContent ? .shareTaken : .joinedElsewhere
      }
      for index in boardSources.indices where boardSources[index].session == rival.id {
        boardSources[index].hand(to: session.id)
        changes.tell(boardSources[index].tile, isVisible: false)
      }
      sessions.remove(rival.id)
      changes.newSessions.remove(rival.id)
      changes.endedSessions.append(rival.id)
    } else if isContent, !wasHere {
      guard session.capabilities.content.canSend else { throw .mayNotSend(.content) }
      let shares = sessions.all.count { $0.participant.isContent }
      guard shares < rules.maxContentShares else {
        throw .sharesFull(limit: rules.maxContentShares)
      }
    }
  }

  /// Returns whether a gateway's message is older than the client's arrival at another gateway.
  private func isOvertaken(
    _ session: AnnouncedSession, by present: TileBoardSession, through gateway: GatewayName,
    as arrival: SessionArrival
  ) -> Bool {
    present.contact.gateway != gateway
      && arrival.isOvertaken(openedAtMs: session.openedAtMs, by: present.openedAtMs)
  }

  private func mayReplace(_ rival: TileBoardSession, as arrival: SessionArrival) -> Bool {
    guard rival.contact.isConnected else { return true }
    return arrival == .start && !rival.participant.isContent
  }

  /// Replaces the sources of a session with the sources that the session declares.
  private mutating func takeOver(
    _ declared: [SourceDeclaration], of session: SessionID, wasHere: Bool,
    changes: inout TileBoardChanges
  ) {
    let publisher = sessions[session]?.publisher
    let dropped = boardSources.filter { source in
      source.session == session
        && (source.visible.publisher != publisher || !declared.contains { $0.kind == source.kind })
    }
    for source in dropped {
      if let publisher, source.visible.publisher == publisher {
        formerTiles[publisher.id] = source.tile
      }
      end(source.tile, changes: &changes)
    }
    for declaration in declared {
      do {
        _ = try publish(declaration, from: session, wasHere: wasHere, changes: &changes)
      } catch {
        endSources(of: session, showing: declaration.kind, changes: &changes)
        guard let participant = sessions[session]?.participant else { continue }
        changes.refusals.append((participant, nil, declaration.kind, error.status))
      }
    }
  }

  // MARK: Departure

  /// Removes a client's session, and the sources and tiles of this session. Does nothing if the
  /// session is not present.
  mutating func leave(
    _ session: SessionID, at now: ContinuousClock.Instant
  ) -> [TileEffect] {
    var changes = TileBoardChanges()
    remove(session, at: now, changes: &changes)
    return conclude(changes)
  }

  /// Detaches a client. The client's gateway last received a message from the client at
  /// `lastHeard`.
  ///
  /// The client's sources remain for some time. If the client was promoted, its sources end,
  /// because any disconnect ends a promotion.
  ///
  /// Does nothing if the session is not present, or has returned through another gateway. `nil` for
  /// `gateway` means that the reporting gateway is unknown.
  mutating func detach(
    _ session: SessionID, from gateway: GatewayName?, lastHeard: ContinuousClock.Instant,
    at now: ContinuousClock.Instant
  ) -> [TileEffect] {
    guard let index = sessions.index(of: session) else { return [] }
    let present = sessions[index].contact.gateway
    guard gateway == nil || gateway == present else { return [] }
    var changes = TileBoardChanges()
    sessions[index].contact = .detached(present, lastHeard: min(lastHeard, now))
    endPromotion(of: session, changes: &changes)
    return conclude(changes) + advance(to: now)
  }

  /// Orphans the sessions of a gateway that has disappeared or has restarted.
  ///
  /// The sessions may return within ``OwnerGracePeriods/gatewayGrace``.
  mutating func loseGateway(
    _ gateway: GatewayName, at now: ContinuousClock.Instant
  ) -> [TileEffect] {
    var changes = TileBoardChanges()
    for index in sessions.indices where sessions[index].contact == .connected(gateway) {
      sessions[index].contact = .orphaned(gateway, since: now)
      endPromotion(of: sessions[index].id, changes: &changes)
    }
    return conclude(changes)
  }

  /// Ends the meeting. Removes all state, and notifies watchers.
  ///
  /// `presence` publishes the end. A second call has no effect.
  mutating func end(at now: ContinuousClock.Instant) -> [TileEffect] {
    if hasEnded { return [] }
    phase = .ended(at: now)
    boardSources = []
    formerTiles = [:]
    sessions = BoardSessions()
    held = []
    return [.end]
  }

  /// Subtracts the duration of a stall of this process from every measured silence.
  mutating func excuseSilence(of stall: Duration) {
    for index in sessions.indices {
      sessions[index].contact = sessions[index].contact.excusingSilence(of: stall)
    }
  }

  mutating func remove(
    _ session: SessionID, at now: ContinuousClock.Instant, changes: inout TileBoardChanges
  ) {
    guard let entry = sessions[session] else { return }
    endSources(of: session, changes: &changes)
    if let publisher = entry.publisher { formerTiles[publisher.id] = nil }
    sessions.remove(session)
    if sessions.isEmpty { emptySince = now }
    changes.endedSessions.append(session)
    changes.concernsCameras = true
  }

  // MARK: Publishing

  /// Publishes a source. If the session already publishes a source of this kind, changes that
  /// source.
  ///
  /// - Returns: The present source, with all its ids and SSRCs, and the effects.
  mutating func publish(
    _ declaration: SourceDeclaration, from session: SessionID
  ) throws(VideoTilesError) -> (source: PublishedVideoSource, effects: [TileEffect]) {
    var changes = TileBoardChanges()
    let source = try publish(declaration, from: session, wasHere: false, changes: &changes)
    return (source, conclude(changes))
  }

  /// Ends a source of a session. Does nothing if the session has no source of this kind.
  mutating func unpublish(_ kind: VideoSourceKind, from session: SessionID) -> [TileEffect] {
    var changes = TileBoardChanges()
    endSources(of: session, showing: kind, changes: &changes)
    return conclude(changes)
  }

  private mutating func publish(
    _ declaration: SourceDeclaration, from session: SessionID, wasHere: Bool,
    changes: inout TileBoardChanges
  ) throws(VideoTilesError) -> PublishedVideoSource {
    guard let entry = sessions[session] else { throw isRecovering ? .recovering : .unknownSession }
    guard let publisher = entry.publisher else { throw .inReplica }
    let kind = declaration.kind
    guard kind == VideoSourceKind(of: publisher.id) else { throw .wrongKind }
    guard entry.maySend(kind) else { throw .mayNotSend(kind) }
    if let index = boardSources.firstIndex(where: { $0.publisher == publisher.id }) {
      if let other = sessions[boardSources[index].session], other.hasOvertaken(entry) {
        throw .joinedElsewhere
      }
      return change(index, to: declaration, by: publisher, from: session, changes: &changes)
    }
    guard kind == .content || wasHere || count(of: .camera) < rules.maxCameras else {
      throw .camerasFull(limit: rules.maxCameras)
    }
    let source = PublishedVideoSource(
      tile: tile(for: declaration, by: publisher.id), kind: kind, publisher: publisher,
      layers: declaration.layers.map { layer in
        var layer = layer
        layer.ssrc = numbers.ssrc(claiming: layer.ssrc)
        return layer
      },
      track: numbers.ssrc(claiming: declaration.track), hint: declaration.hint)
    let place = boardSources.firstIndex { source.tile < $0.tile } ?? boardSources.count
    boardSources.insert(TileBoardSource(source, from: session), at: place)
    changes.tell(source.tile, isVisible: true)
    changes.concernsCameras = true
    return source
  }

  /// Returns the tile id of a new source: the id that the declaration claims, the id that the
  /// publisher's source had before the publisher's session came back, or a new id.
  private mutating func tile(
    for declaration: SourceDeclaration, by publisher: ParticipantID
  ) -> TileID {
    let former = formerTiles.removeValue(forKey: publisher)
    if declaration.tile == nil, let former { return former }
    return numbers.tile(claiming: declaration.tile)
  }

  /// Changes a source.
  ///
  /// The tile and the track remain. Each layer keeps the SSRC of the former layer with the same
  /// rank, unless the layer declares another SSRC.
  private mutating func change(
    _ index: Int, to declaration: SourceDeclaration, by publisher: ParticipantIdentity,
    from session: SessionID, changes: inout TileBoardChanges
  ) -> PublishedVideoSource {
    let before = boardSources[index].visible
    var source = before
    source.publisher = publisher
    source.hint = declaration.hint
    for layer in before.layers { numbers.release(layer) }
    source.layers = declaration.layers.enumerated().map { rank, layer in
      var layer = layer
      let known = before.layers.indices.contains(rank) ? before.layers[rank].ssrc : nil
      layer.ssrc = numbers.ssrc(claiming: layer.ssrc ?? known)
      return layer
    }
    guard source != before || boardSources[index].session != session else { return before }
    boardSources[index].update(to: source, from: session)
    changes.tell(source.tile, isVisible: source != before)
    return source
  }

  mutating func endSources(
    of session: SessionID, showing kind: VideoSourceKind? = nil, changes: inout TileBoardChanges
  ) {
    for source in boardSources
    where source.session == session && (kind == nil || source.kind == kind) {
      end(source.tile, changes: &changes)
    }
  }

  /// Ends a source, and removes the subscriptions to this source.
  mutating func end(_ tile: TileID, changes: inout TileBoardChanges) {
    guard let index = boardSources.firstIndex(where: { $0.tile == tile }) else { return }
    let source = boardSources.remove(at: index).visible
    numbers.release(source)
    changes.ended.append(source)
    changes.visible.remove(tile)
    changes.forwarded.remove(tile)
    changes.concernsCameras = true
    for index in sessions.indices {
      sessions[index].subscriptions.keep { $0 != source.publisher.id }
    }
  }

  private mutating func forgetMissingSources(of session: SessionID) {
    guard let index = sessions.index(of: session) else { return }
    let present = Set(boardSources.map(\.publisher))
    sessions[index].subscriptions.keep { present.contains($0) }
  }
}
