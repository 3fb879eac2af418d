import MeetingModel
import Wire

/// The answer to a SUBSCRIBE.
struct SubscribeAnswer: Hashable {
  /// The SDP answer that `media` created.
  let sdp: String

  /// The sections of the SDP answer that carry received pictures.
  let tracks: [Signaling.SdkTrackMapping]

  /// The ids of the streams that the browser sends.
  let allocations: [Signaling.SdkStreamAllocation]

  /// Whether other clients can see the browser's pictures.
  let isPublished: Bool

  /// The reason why other clients cannot see the browser's pictures; `nil` if other clients can see
  /// the pictures, or if the browser sends none.
  let refusal: Status?

  /// - Parameters:
  ///   - published: The video that the browser publishes; `nil` if it publishes none.
  ///   - encodings: The number of encodings that the browser's SUBSCRIBE describes.
  ///   - isNative: Whether the client is the public C++ client.
  init(
    sdp: String, tracks: [Signaling.SdkTrackMapping] = [],
    published: V1.PublishedVideo? = nil, encodings: Int = 0, isNative: Bool = false,
    refusal: Status? = nil
  ) {
    (self.sdp, self.tracks, self.refusal) = (sdp, tracks, refusal)
    let video = published.map { Self.allocations(of: $0, encodings) } ?? []
    isPublished = !video.isEmpty
    // The C++ client expects the allocation of its audio before the allocations of its video.
    allocations = (isNative || video.isEmpty ? [.init(streamID: 1, groupID: 1)] : []) + video
  }

  var frame: Signaling.SdkSubscribeAckFrame {
    .init(
      duplex: isPublished ? .duplex : .rx, allocations: allocations, sdpAnswer: sdp,
      tracks: tracks)
  }

  /// Returns one allocation for each encoding that the browser has described.
  ///
  /// Encodings without a published layer get the ids of the highest published layer.
  private static func allocations(
    of video: V1.PublishedVideo, _ encodings: Int
  ) -> [Signaling.SdkStreamAllocation] {
    let layers = video.layers.count
    guard layers > 0 else { return [] }
    return (0..<(encodings == 0 ? layers : min(encodings, mostAllocations))).map { index in
      .init(
        streamID: NumberedVideoEncoding.id(of: video.tileID, layer: min(index, layers - 1)),
        groupID: video.tileID)
    }
  }

  private static let mostAllocations = 3
}
