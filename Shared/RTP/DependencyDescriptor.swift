/// The header extension that identifies the frame of a packet, and the frames to which this frame
/// refers (AOMedia, "RTP Payload Format For AV1", appendix A).
///
/// A *frame* is the picture of one spatial layer. A frame identifies each frame that it refers to
/// by the difference between the two frame numbers. A descriptor of a key frame also describes the
/// layers of the stream. So a sender may add one number to all frame numbers, and must forward the
/// other fields unchanged.
public struct DependencyDescriptor: Hashable, Sendable {
  /// The number of the frame; it wraps.
  public let frameNumber: UInt16

  /// The range of the descriptor in its packet.
  public let range: Range<Int>

  /// The URI that names the header extension in offers.
  public static let uri =
    "https://aomediacodec.github.io/av1-rtp-spec/#dependency-descriptor-rtp-header-extension"

  /// The id of the header extension between the media service and its ZeroMQ clients.
  public static let id: UInt8 = 12

  /// The size of the fields that every descriptor has, in bytes: one byte with flags and the number
  /// of a template, and two bytes with the frame number.
  private static let leastBytes = 3

  /// Reads the descriptor of a packet.
  ///
  /// - Parameter id: The id of the header extension, as negotiated with the sender.
  /// - Returns: `nil` if the packet lacks the extension, or if the descriptor is too short.
  public init?(of packet: RTPPacket, id: UInt8 = Self.id, in bytes: Span<UInt8>) {
    guard !packet.extensions.isEmpty, let range = packet.headerExtension(id, in: bytes),
      range.count >= Self.leastBytes
    else { return nil }
    (self.range, frameNumber) = (range, bytes.uint16(at: range.lowerBound + 1))
  }

  /// Overwrites the frame number of a packet in place.
  ///
  /// - Parameter packet: The whole RTP packet that contains this descriptor.
  public func patch(_ packet: inout MutableSpan<UInt8>, frameNumber: UInt16) {
    packet.set(frameNumber, at: range.lowerBound + 1)
  }
}
