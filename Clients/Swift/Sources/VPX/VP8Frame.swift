/// An encoded VP8 frame (RFC 6386).
public struct VP8Frame: Hashable, Sendable {
  /// The bytes of the whole frame.
  public let bytes: [UInt8]

  /// Whether a decoder can decode the frame without earlier frames.
  public let isKeyFrame: Bool

  /// Returns the size of the picture in a key frame's header; `nil` if the bytes are not a key
  /// frame.
  public static func keyFrameSize(of bytes: Span<UInt8>) -> (width: Int, height: Int)? {
    // A frame starts with a tag of three bytes, whose lowest bit is 0 for a key frame. A key frame
    // continues with a start code, the width and the height. Each of these two sizes has 14 bits,
    // and the two bits above a size are the scale of this size (RFC 6386, section 9.1).
    guard bytes.count >= 10, bytes[0] & 1 == 0, bytes[3] == 0x9D, bytes[4] == 0x01, bytes[5] == 0x2A
    else { return nil }
    return (
      Int(bytes[6]) | Int(bytes[7] & 0x3F) << 8, Int(bytes[8]) | Int(bytes[9] & 0x3F) << 8
    )
  }
}
