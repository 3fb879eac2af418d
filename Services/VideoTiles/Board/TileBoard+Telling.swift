import MeetingModel

/// The present state of the board for readers, and the effects of a change.
extension TileBoard {
  // MARK: View

  /// The sources in the order of their tile ids.
  var sources: [PublishedVideoSource] { boardSources.map(\.visible) }

  func source(_ tile: TileID) -> PublishedVideoSource? {
    boardSources.first { $0.tile == tile }?.visible
  }

  /// Returns the sources that a session publishes.
  func sources(from session: SessionID) -> [PublishedVideoSource] {
    boardSources.filter { $0.session == session }.map(\.visible)
  }

  /// Returns the tiles of `receivers` in the order of arrival; `nil` means all receivers.
  func tiles(of receivers: Set<ParticipantID>? = nil) -> [ReceiverTiles] {
    let wanted = receivers.map { sessions.indices(of: $0) } ?? Array(sessions.indices)
    return wanted.map { index in
      let session = sessions[index]
      return ReceiverTiles(
        session: session.id, participant: session.participant,
        tiles: session.decisions.compactMap { view(of: $0) }, camera: session.camera)
    }
  }

  /// Returns a receiver's tile; `nil` if the receiver does not have this tile.
  func view(of tile: TileID, for session: SessionID) -> ReceiverTile? {
    sessions[session]?.decision(about: tile).flatMap { view(of: $0) }
  }

  private func view(of decision: TileDecision) -> ReceiverTile? {
    guard let pauseState = decision.pauseState, let source = source(decision.tile)
    else { return nil }
    let size = decision.layer == 0 ? nil : source.layers[decision.layer - 1].size
    return ReceiverTile(
      tile: decision.tile, publisher: source.publisher.id, pauseState: pauseState,
      layer: decision.layer, size: size)
  }

  /// The complete state for `media`, which forwards the video.
  var forwarding: ForwardingChange {
    ForwardingChange(
      sources: boardSources.map { ForwardedSource(source: $0.visible, session: $0.session) },
      receivers: sessions.all.map { receiverDecision(of: $0) })
  }

  private func receiverDecision(of session: TileBoardSession) -> ReceiverDecision {
    ReceiverDecision(
      session: session.id, participant: session.participant, decisions: session.decisions,
      downlink: session.downlink.estimate)
  }

  /// Returns whether a session may send camera video.
  func availability(of session: TileBoardSession) -> CameraAvailability {
    availability(of: session, cameras: count(of: .camera)) {
      boardSources.contains { $0.kind == .camera && $0.session == session.id }
    }
  }

  private func availability(
    of session: TileBoardSession, cameras: Int, hasCamera: () -> Bool
  ) -> CameraAvailability {
    guard let publisher = session.publisher else { return .viewOnly }
    guard !publisher.id.isContent, session.maySend(.camera) else { return .notAllowed }
    return cameras < rules.maxCameras || hasCamera() ? .available : .viewOnly
  }

  // MARK: Effects

  /// Recomputes the decisions that the changes affect. Returns the effects on sources, and then the
  /// effects on tiles.
  mutating func conclude(_ changes: TileBoardChanges) -> [TileEffect] {
    let refusals = changes.refusals.map {
      TileEffect.publish(.publishedEnded($0.tile, $0.kind, $0.status), for: [$0.participant])
    }
    switch phase {
    case .ended: return []
    case .recovering:
      held += refusals
      return []
    case .settled: break
    }
    var effects: [TileEffect] = []
    let available = boardSources.filter { changes.visible.contains($0.tile) }.map(\.visible)
    if !available.isEmpty || !changes.ended.isEmpty {
      effects.append(.publish(.sources(available: available, unavailable: changes.ended), for: []))
    }
    var change = ForwardingChange(
      sources: boardSources.filter { changes.forwarded.contains($0.tile) }
        .map { ForwardedSource(source: $0.visible, session: $0.session) },
      endedTiles: changes.ended.map(\.tile), endedSessions: changes.endedSessions)
    effects += decideTiles(changes, telling: &change)
    if changes.concernsCameras { effects += decideCameras(changes) }
    if sessions.commonCodecs != codecs {
      codecs = sessions.commonCodecs
      effects.append(.publish(.codecs(codecs), for: []))
    }
    effects += refusals
    if !change.isEmpty { effects.append(.forward(change)) }
    return effects
  }

  /// Makes the decisions for the affected receivers. Receivers with the same changes share an
  /// event.
  private mutating func decideTiles(
    _ changes: TileBoardChanges, telling change: inout ForwardingChange
  ) -> [TileEffect] {
    var audiences: [[TileChange]: [ParticipantID]] = [:]
    var order: [[TileChange]] = []
    for index in touched(by: changes) {
      let before = sessions[index].decisions
      if changes.refreshesAll || changes.refreshed.contains(sessions[index].id) {
        sessions[index].refresh(for: boardSources, rules: rules, with: &allocator)
      } else {
        sessions[index].allocate(with: &allocator)
      }
      let isNew = changes.newSessions.contains(sessions[index].id)
      guard isNew || sessions[index].decisions != before else { continue }
      change.receivers.append(receiverDecision(of: sessions[index]))
      if isNew { continue }
      let tiles = tileChanges(of: sessions[index], since: before)
      guard !tiles.isEmpty else { continue }
      if audiences[tiles] == nil { order.append(tiles) }
      audiences[tiles, default: []].append(sessions[index].participant)
    }
    return order.map { .publish(.tiles($0), for: audiences[$0] ?? []) }
  }

  private func touched(by changes: TileBoardChanges) -> [Int] {
    if changes.refreshesAll { return Array(sessions.indices) }
    return (refreshed(by: changes) + changes.rebudgeted).sorted()
  }

  private func refreshed(by changes: TileBoardChanges) -> [Int] {
    changes.refreshed.compactMap { sessions.index(of: $0) }
  }

  /// Returns the changes of a receiver's tiles. Omits tiles whose sources have ended, because the
  /// event about the sources implies the removal of these tiles.
  private func tileChanges(
    of session: TileBoardSession, since before: [TileDecision]
  ) -> [TileChange] {
    session.changes(since: before).compactMap { tile, isShown in
      guard let source = source(tile) else { return nil }
      guard isShown, let decision = session.decision(about: tile), let view = view(of: decision)
      else { return .removed(tile, source.publisher.id) }
      return .shows(view)
    }
  }

  /// Returns the events about changed camera availability, one for each value.
  ///
  /// Only a change of the sources changes whether a further camera may publish. So a join affects
  /// only the joining session.
  private mutating func decideCameras(_ changes: TileBoardChanges) -> [TileEffect] {
    let publishing = Set(boardSources.filter { $0.kind == .camera }.map(\.session))
    let cameras = count(of: .camera)
    var audiences: [CameraAvailability: [ParticipantID]] = [:]
    for index in changes.refreshesAll ? Array(sessions.indices) : refreshed(by: changes).sorted() {
      let session = sessions[index]
      let now = availability(of: session, cameras: cameras) { publishing.contains(session.id) }
      guard now != session.camera || changes.newSessions.contains(session.id) else { continue }
      sessions[index].camera = now
      guard !changes.newSessions.contains(session.id), !session.participant.isContent else {
        continue
      }
      audiences[now, default: []].append(session.participant)
    }
    return CameraAvailability.allCases.compactMap { availability in
      audiences[availability].map { .publish(.camera(availability), for: $0) }
    }
  }
}
