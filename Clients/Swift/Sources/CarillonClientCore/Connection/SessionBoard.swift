internal import MeetingModel
internal import Wire

/// The videos of others as the server tells them to one session, folded from snapshots and events.
///
/// A value: session events go in, what changed comes out. It compares a snapshot with what it has,
/// so that what was missed is told, and nothing else. In another epoch the owner may have started
/// anew together with a gateway whose clients are just coming back: a source that is missing there
/// counts as gone only when ``confirmMissing()`` says that the time to come back is over.
struct SessionBoard: Sendable {
  struct Change: Sendable {
    var gone: [String] = []
    var come: [String] = []
    var tiles: [TileNotice] = []
    var camera: V1.CameraAvailabilityChanged?

    /// Something is missing that may still come back: ``SessionBoard/confirmMissing()`` is due.
    var hasMissing = false
  }

  private let participantId: String
  private let attendeeId: String

  /// As whom the session publishes while it is promoted.
  private var promotedId: String?

  /// Whose video each tile id stands for.
  private var sources: [UInt32: String] = [:]

  /// SSRC of the packets of each tile that is somebody else's.
  private(set) var tracks: [UInt32: UInt32] = [:]

  /// What this session has of them.
  private var tiles: Set<UInt32> = []

  /// Sources that are not in the last snapshot, and not given up yet.
  private var missing: Set<UInt32> = []
  private var epoch: UInt64?

  /// - Parameter participantId: Whose session it is. Videos of the same attendee are none of
  ///   others.
  init(of participantId: String) {
    self.participantId = participantId
    attendeeId = DefaultModality(id: participantId).base
  }

  mutating func apply(_ snapshot: V1.TileBoardSnapshot) -> Change {
    var change = Change()
    let present = others(snapshot.sources)
    let isContinued = epoch == nil || epoch == snapshot.epoch
    epoch = snapshot.epoch
    for tile in sources.keys.sorted() where present[tile] != sources[tile] {
      let isReplaced = present[tile] != nil || present.values.contains(sources[tile] ?? "")
      if isContinued || isReplaced { end(tile, &change) } else { missing.insert(tile) }
    }
    missing.subtract(present.keys)
    change.hasMissing = !missing.isEmpty
    for source in snapshot.sources { begin(source, &change) }
    let own = snapshot.receivers.first { $0.participantID == participantId }
    let shown = Set((own?.tiles ?? []).filter { !$0.isRemoved }.map(\.tileID))
    for tile in tiles.subtracting(shown).subtracting(missing).sorted() { hide(tile, &change) }
    for state in own?.tiles ?? [] { take(state, &change) }
    change.camera = own?.camera
    return change
  }

  mutating func apply(_ changed: V1.VideoSourcesChanged) -> Change {
    var change = Change()
    for source in changed.unavailable { end(source.tileID, &change) }
    for source in changed.available {
      missing.remove(source.tileID)
      begin(source, &change)
    }
    return change
  }

  mutating func apply(_ changed: V1.TilesChanged) -> Change {
    var change = Change()
    for state in changed.tiles { take(state, &change) }
    return change
  }

  /// What is still missing is gone.
  mutating func confirmMissing() -> Change {
    var change = Change()
    for tile in missing.sorted() { end(tile, &change) }
    return change
  }

  /// The session publishes as this attendee from now on, or only watches: videos of that one are
  /// its own meanwhile.
  mutating func act(as attendeeId: String?) -> Change {
    promotedId = attendeeId
    var change = Change()
    for (tile, id) in sources.sorted(by: { $0.key < $1.key }) where !isOther(id) {
      end(tile, &change)
    }
    return change
  }

  // MARK: Parts

  private func others(_ sources: [V1.VideoSource]) -> [UInt32: String] {
    var others: [UInt32: String] = [:]
    for source in sources {
      guard let id = source.attendee?.attendeeID, isOther(id) else { continue }
      others[source.tileID] = id
    }
    return others
  }

  private func isOther(_ id: String) -> Bool {
    let base = DefaultModality(id: id).base
    return base != attendeeId && base != promotedId
  }

  private mutating func begin(_ source: V1.VideoSource, _ change: inout Change) {
    guard let id = source.attendee?.attendeeID, isOther(id) else { return }
    tracks[source.tileID] = source.trackSSRC
    guard sources[source.tileID] != id else { return }
    let replaced = sources.filter { $0.key == source.tileID || $0.value == id }.keys
    for tile in replaced.sorted() { end(tile, &change) }
    sources[source.tileID] = id
    tracks[source.tileID] = source.trackSSRC
    change.come.append(id)
  }

  private mutating func end(_ tile: UInt32, _ change: inout Change) {
    missing.remove(tile)
    tracks[tile] = nil
    hide(tile, &change)
    guard let id = sources.removeValue(forKey: tile) else { return }
    change.gone.append(id)
  }

  private mutating func hide(_ tile: UInt32, _ change: inout Change) {
    guard tiles.remove(tile) != nil else { return }
    change.tiles.append(.ended(tileId: Int(tile)))
  }

  private mutating func take(_ state: V1.TileState, _ change: inout Change) {
    guard !state.isRemoved else { return hide(state.tileID, &change) }
    guard isOther(state.participantID) else { return }
    tiles.insert(state.tileID)
    change.tiles.append(
      .shown(
        tileId: Int(state.tileID), attendeeId: state.participantID,
        VideoPauseState(state.pauseState)))
  }
}

extension VideoPauseState {
  /// What this version does not know of is no pause.
  init(_ state: V1.TilePauseState) {
    self = TilePauseState(state)?.inFacade() ?? .unpaused
  }
}
