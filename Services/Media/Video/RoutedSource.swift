import MeetingModel
import RTP

/// A source of a meeting and who gets it.
struct RoutedSource: Sendable {
  /// The source as the board knows it.
  var description: SourceDescription

  /// The only session whose packets count. `nil`: nobody's.
  var publisher: SessionKey?

  /// Lowest bitrate first.
  var layers: [SourceLayer]

  /// Where the forwarders are that it feeds.
  var forwarders: [Int] = []
}

/// A source as it is decided on elsewhere.
struct SourceDescription: Hashable, Sendable {
  var tile: UInt32

  /// The SSRC of the packets that receivers get.
  var trackSSRC: UInt32

  var codec: VideoCodec

  /// The SSRCs of the publisher's packets, lowest bitrate first.
  var layerSSRCs: [UInt32]
}

/// What a receiver gets of one source.
struct ForwardingDecision: Hashable, Sendable {
  var tile: UInt32

  /// The number of the layer, from 1; 0: nothing.
  var layer: Int

  /// How many; 0: all.
  var temporalLayers = 0

  /// It would be a higher layer if the receiver's link carried more.
  var isLowered = false

  /// How much the receiver wants it.
  var priority = VideoPriority.high

  /// What the decision counts for it; 0: not known.
  var bitsPerSecond = 0
}
