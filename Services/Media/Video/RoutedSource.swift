import MeetingModel
import RTP

/// A source of a meeting, with the publisher and the forwarders of this source.
struct RoutedSource: Sendable {
  /// The description of the source in the last decision.
  var description: VideoSourceDescription

  /// The only session whose packets are valid; `nil` if the packets of all sessions are invalid.
  var publisher: SessionSlot?

  /// The layers, with the lowest bitrate first.
  var layers: [SourceLayer]

  /// The indices of the source's forwarders in the router.
  var forwarders: [Int] = []

  /// The pace of key frame requests for all layers together.
  var requestPace = KeyFrameRequestPace()

  /// The time since which the router reports tracks and awaits the first packet of the source;
  /// `nil` before the first report.
  var awaitedSince: MonotonicTime?
}

/// The description of a source by `video-tiles`.
struct VideoSourceDescription: Hashable, Sendable {
  var tile: UInt32

  /// The SSRC of the packets to receivers.
  var trackSSRC: UInt32

  var codec: VideoCodec

  /// The SSRCs of the publisher's packets, lowest bitrate first.
  var layerSSRCs: [UInt32]
}

/// The decision about one source for one receiver.
struct ForwardingDecision: Hashable, Sendable {
  var tile: UInt32

  /// The number of the layer, from 1; 0 for none.
  var layer: Int

  /// The number of temporal layers; 0 for all.
  var temporalLayers = 0

  /// Whether the layer would be higher if the receiver's link had more capacity.
  var isLowered = false

  /// The priority of the source for the receiver.
  var priority = VideoPriority.high

  /// The bitrate that the decision assumes for the layer, in bit/s; 0 if unknown.
  var bitsPerSecond = 0
}
