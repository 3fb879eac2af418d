import MeetingModel

/// The decisions of `video-tiles` about one meeting, including decisions for sessions that no
/// gateway has admitted yet.
struct ForwardingTable {
  private var tiles: Set<UInt32> = []
  private var publishers: [UInt32: SessionID] = [:]
  private var receivers: [SessionID: [ForwardingDecision]] = [:]

  /// The changes that one update made.
  struct Changes {
    var ended: [UInt32] = []
    var sources: [VideoSourceDescription] = []

    /// Tiles whose publisher may have changed.
    var published: Set<UInt32> = []
    var receivers: Set<SessionID> = []
  }

  /// Returns the only session whose packets for a tile are valid.
  func publisher(of tile: UInt32) -> SessionID? { publishers[tile] }

  /// Returns the tiles that a session publishes.
  func tiles(from session: SessionID) -> [UInt32] {
    publishers.filter { $0.value == session }.map(\.key)
  }

  /// Returns the decisions for a receiver.
  func decisions(for session: SessionID) -> [ForwardingDecision] { receivers[session] ?? [] }

  /// Applies an update, and returns the changes that the update made.
  mutating func take(_ update: ForwardingUpdate) -> Changes {
    var changes = Changes()
    if update.isComplete {
      changes.ended = tiles.subtracting(update.tiles).sorted()
      changes.receivers = Set(receivers.keys)
      changes.published = Set(publishers.keys)
      (publishers, receivers) = ([:], [:])
    }
    changes.ended += update.endedTiles
    changes.sources = update.sources
    tiles.formUnion(changes.sources.map(\.tile))
    tiles.subtract(changes.ended)
    for tile in changes.ended { publishers[tile] = nil }
    for publisher in update.publishers {
      publishers[publisher.tile] = publisher.session
      changes.published.insert(publisher.tile)
    }
    // If a source is new to the router, the router has no publisher for it yet.
    changes.published.formUnion(changes.sources.map(\.tile))
    for receiver in update.receivers {
      receivers[receiver.session] = receiver.decisions
      changes.receivers.insert(receiver.session)
    }
    for id in update.endedSessions {
      receivers[id] = nil
      changes.receivers.insert(id)
    }
    // The router ignores decisions on sources and layers that are unknown to the router.
    let changed = Set(changes.sources.map(\.tile))
    if !changed.isEmpty { changes.receivers.formUnion(receivers(of: changed)) }
    return changes
  }

  /// Returns the sessions that have a decision on one of `tiles`.
  private func receivers(of tiles: Set<UInt32>) -> [SessionID] {
    receivers.filter { $0.value.contains { tiles.contains($0.tile) } }.map(\.key)
  }
}
