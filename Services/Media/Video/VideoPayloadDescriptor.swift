import RTP

/// The descriptor of a packet, for codecs whose packets contain picture ids or frame numbers.
enum VideoPayloadDescriptor: Hashable, Sendable {
  case vp8(VP8Descriptor)
  case vp9(VP9Descriptor)
  case av1(DependencyDescriptor)

  /// The number of the picture in the lowest temporal layer. This number wraps around.
  var baseLayerIndex: UInt8? {
    switch self {
    case .vp8(let descriptor): descriptor.baseLayerIndex
    case .vp9(let descriptor): descriptor.baseLayerIndex
    case .av1: nil
    }
  }

  /// Whether the picture ids of dropped pictures leave no gap.
  ///
  /// A VP9 or AV1 picture identifies each picture that it refers to by the difference of the two
  /// pictures' numbers. These differences must not change, so the numbers of dropped pictures leave
  /// gaps.
  var closesGaps: Bool {
    switch self {
    case .vp8: true
    case .vp9, .av1: false
    }
  }

  /// Overwrites the picture id or frame number, and the base layer index of a packet in place.
  ///
  /// - Parameters:
  ///   - packet: The whole RTP packet that contains this descriptor.
  ///   - start: The offset of the packet's payload.
  func patch(
    _ packet: inout MutableSpan<UInt8>, payloadAt start: Int, pictureID: UInt16,
    baseLayerIndex: UInt8
  ) {
    switch self {
    case .vp8(let descriptor):
      descriptor.patch(
        &packet, payloadAt: start, pictureID: pictureID, baseLayerIndex: baseLayerIndex)
    case .vp9(let descriptor):
      descriptor.patch(
        &packet, payloadAt: start, pictureID: pictureID, baseLayerIndex: baseLayerIndex)
    case .av1(let descriptor):
      descriptor.patch(&packet, frameNumber: pictureID)
    }
  }
}
