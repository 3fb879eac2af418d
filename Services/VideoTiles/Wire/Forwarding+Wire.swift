import MeetingModel
import Wire

extension V1.ForwardingUpdate {
  init(_ change: ForwardingChange, sequence: UInt64, isComplete: Bool) {
    self.init(
      sequence: sequence, isComplete: isComplete,
      sources: change.sources.map { V1.VideoSource($0.source) },
      endedTileIDs: change.endedTiles.map(\.number),
      receivers: change.receivers.map { V1.ReceiverDecision($0) },
      endedSessionIDs: change.endedSessions.map(\.bytes),
      publishers: change.sources.map {
        V1.PublishingSession(tileID: $0.source.tile.number, sessionID: $0.session.bytes)
      })
  }
}

extension V1.ReceiverDecision {
  fileprivate init(_ receiver: ReceiverDecision) {
    self.init(
      sessionID: receiver.session.bytes, participantID: receiver.participant.text,
      forwardings: receiver.decisions.map { V1.Forwarding($0) },
      downlinkBitsPerSecond: UInt32(clamping: receiver.downlink?.bitsPerSecond ?? 0))
  }
}

extension V1.Forwarding {
  fileprivate init(_ decision: TileDecision) {
    self.init(
      tileID: decision.tile.number, layer: UInt32(clamping: decision.layer),
      temporalLayers: UInt32(clamping: decision.temporalLayers),
      reason: V1.ForwardingReason(decision.reason),
      bitsPerSecond: UInt32(clamping: decision.bitrate.bitsPerSecond),
      priority: V1.VideoPriority(decision.priority))
  }
}

extension DownlinkReport {
  /// Reads a measurement of `media`.
  init(_ report: V1.ReceiverDownlink) throws(InvalidModelValue) {
    self.init(
      session: try SessionID(wire: report.sessionID),
      estimate: Bitrate(bitsPerSecond: Int(report.bitsPerSecond)),
      starved: Set(report.starvedTileIDs.compactMap { TileID($0) }),
      stalled: Set(report.stalledTileIDs.compactMap { TileID($0) }))
  }
}

extension SourceLayerReport {
  /// Reads a measurement of `media`; returns `nil` for an invalid tile id.
  init?(_ track: V1.TrackState) {
    guard let tile = TileID(track.tileID) else { return nil }
    self.init(
      tile: tile, layer: Int(track.layer), isFlowing: track.isFlowing,
      bitrate: Bitrate(bitsPerSecond: Int(track.bitsPerSecond)),
      temporalLayers: Int(track.temporalLayers))
  }
}
