internal import MeetingModel
internal import Wire

/// The remote video sources and tiles of one session, computed from snapshots and events.
///
/// The tile state is a value without I/O: it applies session events, and returns the changes. When
/// a snapshot arrives, the tile state returns exactly the changes that the session missed.
///
/// In a snapshot with a new epoch, sources may be missing. The owner of the meeting's video may
/// have restarted together with a gateway whose clients are still reconnecting. So the tile state
/// ends a missing source only in ``confirmMissing()``.
struct ClientTileState: Sendable {
  struct Change: Sendable {
    var gone: [String] = []
    var come: [String] = []
    var tiles: [TileNotice] = []
    var camera: V1.CameraAvailabilityChanged?

    /// Whether a missing source may still return. If so, the caller must call
    /// ``ClientTileState/confirmMissing()`` after the drop timeout.
    var hasMissing = false
  }

  private let participantId: String
  private let attendeeId: String

  /// The attendee id under which the session publishes while the session is promoted.
  private var promotedId: String?

  /// The attendee id of each tile's source, by tile id.
  private var sources: [UInt32: String] = [:]

  /// The SSRC of each remote tile's packets, by tile id.
  private(set) var tracks: [UInt32: UInt32] = [:]

  /// The tiles that this session receives.
  private var tiles: Set<UInt32> = []

  /// The tiles of sources that are missing from the last snapshot and may still return.
  private var missing: Set<UInt32> = []
  private var epoch: UInt64?

  /// - Parameter participantId: The id of the session's participant. The tile state does not treat
  ///   videos of the same attendee as remote.
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

  /// Ends the sources that are still missing.
  mutating func confirmMissing() -> Change {
    var change = Change()
    for tile in missing.sorted() { end(tile, &change) }
    return change
  }

  /// Sets the attendee under whom the promoted session publishes; `nil` after the demotion.
  ///
  /// The tile state treats videos of this attendee as the session's own videos.
  mutating func act(as attendeeId: String?) -> Change {
    promotedId = attendeeId
    var change = Change()
    for (tile, id) in sources.sorted(by: { $0.key < $1.key }) where !isOther(id) {
      end(tile, &change)
    }
    return change
  }

  // MARK: Helpers

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
  /// Creates a state. A wire value that this version does not know becomes `unpaused`.
  init(_ state: V1.TilePauseState) {
    self = TilePauseState(state)?.inFacade() ?? .unpaused
  }
}
