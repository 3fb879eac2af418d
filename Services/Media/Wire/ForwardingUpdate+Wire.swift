import Bus
import MeetingModel
import Wire

extension VideoTilesClient {
  /// Follows the decisions about a meeting: first a complete update, then changes.
  func watchDecisions(
    of meeting: MeetingID, options: CallOptions, onItem: @escaping (ForwardingUpdate) -> Void,
    onEnd: @escaping (Status?) -> Void
  ) -> StreamCallHandle {
    watchDecisions(
      V1.WatchDecisionsRequest(meetingID: meeting.text), options: options,
      onItem: { onItem(ForwardingUpdate($0)) }, onEnd: onEnd)
  }
}

extension ForwardingUpdate {
  /// Reads an update. Skips entries with malformed session ids.
  init(_ update: V1.ForwardingUpdate) {
    self.init(
      sequence: update.sequence, isComplete: update.isComplete,
      tiles: Set(update.sources.map(\.tileID)),
      sources: update.sources.compactMap { VideoSourceDescription($0) },
      endedTiles: update.endedTileIDs,
      publishers: update.publishers.map {
        Publisher(tile: $0.tileID, session: SessionID(bytes: $0.sessionID))
      },
      receivers: update.receivers.compactMap { receiver in
        SessionID(bytes: receiver.sessionID).map {
          ReceiverDecisions(
            session: $0, decisions: receiver.forwardings.map { ForwardingDecision($0) })
        }
      }, endedSessions: update.endedSessionIDs.compactMap { SessionID(bytes: $0) })
  }
}

extension VideoSourceDescription {
  /// Reads a source; returns `nil` if `media` does not forward the source's codec.
  fileprivate init?(_ source: V1.VideoSource) {
    guard let codec = source.layers.first.flatMap({ VideoCodec($0.codec) }) else { return nil }
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
      isLowered: forwarding.reason == .lowered || forwarding.reason == .pausedForBandwidth,
      priority: VideoPriority(forwarding.priority) ?? .high,
      bitsPerSecond: Int(forwarding.bitsPerSecond))
  }
}
