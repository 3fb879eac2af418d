/// A picture as VP8 bytes (RFC 6386).
public struct VP8Frame: Hashable, Sendable {
  /// The coded picture, whole.
  public let bytes: [UInt8]

  /// Whether it can be decoded without those before it.
  public let isKeyFrame: Bool

  /// The size that a key frame says its picture has, or `nil` if these are not the bytes of one.
  public static func keyFrameSize(of bytes: Span<UInt8>) -> (width: Int, height: Int)? {
    // Three bytes of frame tag, whose lowest bit is 0 for a key frame, a start code, two sizes of
    // 14 bits with a scale above (RFC 6386, section 9.1).
    guard bytes.count >= 10, bytes[0] & 1 == 0, bytes[3] == 0x9D, bytes[4] == 0x01, bytes[5] == 0x2A
    else { return nil }
    return (
      Int(bytes[6]) | Int(bytes[7] & 0x3F) << 8, Int(bytes[8]) | Int(bytes[9] & 0x3F) << 8
    )
  }
}
