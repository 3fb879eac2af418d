/// The header of a VP8 frame (RFC 6386, section 9.1).
public struct VP8FrameHeader: Hashable, Sendable {
  /// Whether the frame refers to no other frame.
  public let isKeyFrame: Bool

  /// The width of a key frame, in pixels; 0 otherwise.
  public let width: Int

  /// The height of a key frame, in pixels; 0 otherwise.
  public let height: Int

  /// Parses a header.
  ///
  /// - Parameter data: The beginning of a frame, without the descriptor.
  /// - Returns: `nil` if the header is truncated, or if a key frame lacks its start code.
  public init?(_ data: Span<UInt8>) {
    guard data.count >= 3 else { return nil }
    isKeyFrame = data[0] & 0x01 == 0
    guard isKeyFrame else {
      (width, height) = (0, 0)
      return
    }
    guard data.count >= 10, data.uint24(at: 3) == 0x9D_012A else { return nil }
    // Little endian; the two highest bits are a hint for scaling.
    width = Int(data[6]) | Int(data[7] & 0x3f) << 8
    height = Int(data[8]) | Int(data[9] & 0x3f) << 8
  }
}
