/// Reassembles VP8 frames from payloads, one frame at a time and in order.
struct VP8Depacketizer: Sendable {
  /// Adds a payload to a frame.
  ///
  /// - Parameter details: The properties of the frame. The first payload of the frame sets these
  ///   properties.
  /// - Returns: Whether the payload belongs to the frame.
  func add(
    _ payload: Span<UInt8>, to frame: inout [UInt8], isFirst: Bool, _ details: inout VideoFrame
  ) -> Bool {
    guard let (descriptor, start) = VP8Descriptor.read(payload),
      descriptor.startsFrame == isFirst
    else { return false }
    let data = payload.extracting(start..<payload.count)
    if isFirst {
      guard let header = VP8FrameHeader(data) else { return false }
      details.isKeyFrame = header.isKeyFrame
      (details.width, details.height) = (header.width, header.height)
      details.temporalLayer = descriptor.temporalLayer ?? 0
      details.pictureID = descriptor.pictureID?.value
    }
    frame.append(copying: data)
    return true
  }
}
