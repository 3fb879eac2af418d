import MeetingModel
import Wire

/// The video that one attendee receives, as `video-tiles` decided.
struct AttendeeReceivedVideo: Sendable {
  /// The decision about one source.
  struct Tile: Sendable {
    let source: V1.VideoSource
    let forwarding: V1.Forwarding

    /// The layer that the attendee receives; `nil` if the attendee receives nothing of the source.
    var layer: V1.VideoLayer? {
      let index = Int(forwarding.layer) - 1
      return source.layers.indices.contains(index) ? source.layers[index] : nil
    }
  }

  /// The tiles in the order of their ids.
  let tiles: [Tile]

  /// The estimated bandwidth of the attendee's link, in bit/s; `nil` if there is no estimate. The
  /// decision is based on this estimate.
  let downlinkBitsPerSecond: UInt32?

  /// Reads an attendee's part of a whole decision.
  init(of attendee: AttendeeID, in decision: V1.ForwardingUpdate) {
    let sources = Dictionary(
      decision.sources.map { ($0.tileID, $0) }, uniquingKeysWith: { $1 })
    let receiver = decision.receivers.last { $0.participantID == attendee.text }
    tiles = (receiver?.forwardings ?? [])
      .compactMap { forwarding in
        sources[forwarding.tileID].map { Tile(source: $0, forwarding: forwarding) }
      }
      .sorted { $0.source.tileID < $1.source.tileID }
    let downlink = receiver?.downlinkBitsPerSecond ?? 0
    downlinkBitsPerSecond = downlink > 0 ? downlink : nil
  }
}
