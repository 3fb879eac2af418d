import MeetingModel
import Wire

/// What a SUBSCRIBE is answered with.
struct BrowserAnswer: Hashable {
  /// SDP, as media answered.
  let sdp: String

  /// The sections by which pictures come.
  let tracks: [Signaling.SdkTrackMapping]

  /// The ids of what the browser sends.
  let allocations: [Signaling.SdkStreamAllocation]

  /// The browser's own pictures are shown to others.
  let isPublished: Bool

  /// Why the browser's own pictures are not shown; `nil` where they are, or there are none.
  let refusal: Status?

  /// - Parameters:
  ///   - published: What the browser publishes; `nil` for nothing.
  ///   - encodings: How many encodings of its own the browser has described.
  ///   - isNative: The client is the public one in C++.
  init(
    sdp: String, tracks: [Signaling.SdkTrackMapping] = [],
    published: V1.PublishedVideo? = nil, encodings: Int = 0, isNative: Bool = false,
    refusal: Status? = nil
  ) {
    (self.sdp, self.tracks, self.refusal) = (sdp, tracks, refusal)
    let video = published.map { Self.allocations(of: $0, encodings) } ?? []
    isPublished = !video.isEmpty
    // Clients in C++ count on one of the audio before all others.
    allocations = (isNative || video.isEmpty ? [.init(streamID: 1, groupID: 1)] : []) + video
  }

  var frame: Signaling.SdkSubscribeAckFrame {
    .init(
      duplex: isPublished ? .duplex : .rx, allocations: allocations, sdpAnswer: sdp,
      tracks: tracks)
  }

  /// One for each encoding that the browser has described. Those that are not published have the
  /// ids of the highest layer.
  private static func allocations(
    of video: V1.PublishedVideo, _ encodings: Int
  ) -> [Signaling.SdkStreamAllocation] {
    let layers = video.layers.count
    guard layers > 0 else { return [] }
    return (0..<(encodings == 0 ? layers : min(encodings, mostAllocations))).map { index in
      .init(
        streamID: PictureStream.id(of: video.tileID, layer: min(index, layers - 1)),
        groupID: video.tileID)
    }
  }

  private static let mostAllocations = 3
}
