import MeetingModel

/// What video-tiles decided about one meeting, kept for sessions that are not here yet.
struct ForwardingBoard {
  private var tiles: Set<UInt32> = []
  private var publishers: [UInt32: SessionID] = [:]
  private var receivers: [SessionID: [ForwardingDecision]] = [:]

  /// What one update changed.
  struct Changes {
    var ended: [UInt32] = []
    var sources: [SourceDescription] = []

    /// Tiles that have another publisher.
    var published: Set<UInt32> = []
    var receivers: Set<SessionID> = []
  }

  /// The only session whose packets of a source count.
  func publisher(of tile: UInt32) -> SessionID? { publishers[tile] }

  /// The tiles of what a session publishes.
  func tiles(from session: SessionID) -> [UInt32] {
    publishers.filter { $0.value == session }.map(\.key)
  }

  /// What a receiver gets.
  func decisions(for session: SessionID) -> [ForwardingDecision] { receivers[session] ?? [] }

  /// Takes an update in. What it says twice, or of sources that nobody can forward, is left out.
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
    let newTiles = Set(changes.sources.map(\.tile)).subtracting(tiles)
    tiles.formUnion(changes.sources.map(\.tile))
    tiles.subtract(changes.ended)
    for tile in changes.ended { publishers[tile] = nil }
    for publisher in update.publishers {
      publishers[publisher.tile] = publisher.session
      changes.published.insert(publisher.tile)
    }
    // A source that is new to the router has no publisher there yet.
    changes.published.formUnion(changes.sources.map(\.tile))
    for receiver in update.receivers {
      receivers[receiver.session] = receiver.decisions
      changes.receivers.insert(receiver.session)
    }
    for id in update.endedSessions {
      receivers[id] = nil
      changes.receivers.insert(id)
    }
    if !newTiles.isEmpty { changes.receivers.formUnion(receivers(of: newTiles)) }
    return changes
  }

  /// The sessions for which something was decided about these tiles.
  private func receivers(of tiles: Set<UInt32>) -> [SessionID] {
    receivers.filter { $0.value.contains { tiles.contains($0.tile) } }.map(\.key)
  }
}
