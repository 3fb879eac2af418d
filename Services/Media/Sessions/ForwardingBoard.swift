import MeetingModel
import RTP
import Wire

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
  mutating func take(_ update: V1.ForwardingUpdate) -> Changes {
    var changes = Changes()
    if update.isComplete {
      let listed = Set(update.sources.map(\.tileID))
      changes.ended = tiles.subtracting(listed).sorted()
      changes.receivers = Set(receivers.keys)
      changes.published = Set(publishers.keys)
      (publishers, receivers) = ([:], [:])
    }
    changes.ended += update.endedTileIDs
    changes.sources = update.sources.compactMap { SourceDescription($0) }
    tiles.formUnion(changes.sources.map(\.tile))
    tiles.subtract(changes.ended)
    for tile in changes.ended { publishers[tile] = nil }
    for publisher in update.publishers {
      publishers[publisher.tileID] = SessionID(bytes: publisher.sessionID)
      changes.published.insert(publisher.tileID)
    }
    // A source that is new to the router has no publisher there yet.
    changes.published.formUnion(changes.sources.map(\.tile))
    for receiver in update.receivers {
      guard let id = SessionID(bytes: receiver.sessionID) else { continue }
      receivers[id] = receiver.forwardings.map { ForwardingDecision($0) }
      changes.receivers.insert(id)
    }
    for id in update.endedSessionIDs.compactMap({ SessionID(bytes: $0) }) {
      receivers[id] = nil
      changes.receivers.insert(id)
    }
    return changes
  }
}

extension SourceDescription {
  /// `nil`: of a codec that is not forwarded.
  fileprivate init?(_ source: V1.VideoSource) {
    let codec: VideoCodec
    switch source.layers.first?.codec {
    case .vp8: codec = .vp8
    case .h264: codec = .h264
    case .unspecified, .unrecognized, nil: return nil
    }
    self.init(
      tile: source.tileID, trackSSRC: source.trackSSRC, codec: codec,
      layerSSRCs: source.layers.map(\.ssrc))
  }
}

extension ForwardingDecision {
  fileprivate init(_ forwarding: V1.Forwarding) {
    self.init(
      tile: forwarding.tileID, layer: Int(forwarding.layer),
      temporalLayers: Int(forwarding.temporalLayers),
      isLowered: forwarding.reason == .lowered || forwarding.reason == .pausedForBandwidth)
  }
}

extension AudioMode {
  init(_ mode: V1.AudioMode) {
    switch mode {
    case .mono16k: self = .mono16K
    case .mono48k: self = .mono48K
    case .unspecified, .stereo48k, .unrecognized: self = .stereo48K
    }
  }
}
