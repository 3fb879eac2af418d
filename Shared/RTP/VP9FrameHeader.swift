/// The uncompressed header of a VP9 frame in profile 0 (VP9 bitstream specification, section 6.2).
public struct VP9FrameHeader: Hashable, Sendable {
  /// Whether the frame refers to no other frame and resets the decoder.
  public let isKeyFrame: Bool

  /// The width of a key frame, in pixels; 0 otherwise.
  public let width: Int

  /// The height of a key frame, in pixels; 0 otherwise.
  public let height: Int

  /// Parses a header.
  ///
  /// - Parameter data: The beginning of a frame, without the descriptor.
  /// - Returns: `nil` if the header is truncated or has another profile, or if a key frame lacks
  ///   its start code.
  public init?(_ data: Span<UInt8>) {
    // The first byte begins with the marker 10 and the two bits of the profile. The next two bits
    // say whether the frame only repeats an earlier frame, and whether the frame is not a key
    // frame.
    guard data.count > 0, data[0] & 0xF0 == 0x80 else { return nil }
    isKeyFrame = data[0] & 0x0C == 0
    guard isKeyFrame else {
      (width, height) = (0, 0)
      return
    }
    guard data.count >= 9, data.uint24(at: 1) == 0x49_8342 else { return nil }
    // Four bits describe the colours. The width minus one and the height minus one follow, with 16
    // bits each.
    width = Int(data.uint24(at: 4) >> 4 & 0xFFFF) + 1
    height = Int(data.uint24(at: 6) >> 4 & 0xFFFF) + 1
  }
}
