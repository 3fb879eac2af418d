/// Reassembles VP9 pictures from payloads, one picture at a time and in order.
///
/// A picture contains the frames of all its spatial layers, one after the other.
struct VP9Depacketizer: Sendable {
  /// Adds a payload to a picture.
  ///
  /// - Parameter details: The properties of the picture. The first payload of the picture sets
  ///   these properties.
  /// - Returns: Whether the payload belongs to the picture.
  func add(
    _ payload: Span<UInt8>, to picture: inout [UInt8], isFirst: Bool, _ details: inout VideoFrame
  ) -> Bool {
    guard let (descriptor, start) = VP9Descriptor.read(payload) else { return false }
    let data = payload.extracting(start..<payload.count)
    let startsPicture = descriptor.startsFrame && descriptor.spatialLayer ?? 0 == 0
    guard startsPicture == isFirst else { return false }
    if isFirst {
      guard let header = VP9FrameHeader(data) else { return false }
      details.isKeyFrame = header.isKeyFrame && descriptor.startsIntraPicture
      (details.width, details.height) = (
        descriptor.size?.width ?? header.width, descriptor.size?.height ?? header.height
      )
      details.temporalLayer = descriptor.temporalLayer ?? 0
      details.pictureID = descriptor.pictureID?.value
    }
    picture.append(copying: data)
    return true
  }
}
