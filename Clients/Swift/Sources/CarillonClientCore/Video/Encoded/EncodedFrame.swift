/// One encoded frame of a remote video. Carillon adds this type to the interface of the meetings
/// SDK for iOS.
public struct EncodedFrame: Hashable, Sendable {
  /// The codec of the frame. A video may change its codec at a key frame.
  public let codec: VideoCodec

  /// The encoded bytes.
  ///
  /// H.264 is in the byte stream format (ITU-T H.264, annex B), with a start code before each NAL
  /// unit. Every key frame of H.264 contains its parameter sets (SPS and PPS).
  public let data: [UInt8]

  /// The time of the frame, in nanoseconds since an arbitrary time that the publisher chooses.
  ///
  /// Use only differences between the frames of one tile. After the tile's video has moved to
  /// another server process, the times may begin at another value.
  public let timestampNs: Int64

  /// Whether a decoder can begin with this frame.
  public let isKeyFrame: Bool

  /// The clockwise rotation to apply before display.
  public let rotation: VideoRotation

  /// The width in pixels, before rotation; 0 if the stream has not stated it yet.
  public let width: Int

  /// The height in pixels, before rotation; 0 if the stream has not stated it yet.
  public let height: Int

  /// Creates a frame, for tests of applications.
  public init(
    codec: VideoCodec, data: [UInt8], timestampNs: Int64, isKeyFrame: Bool,
    rotation: VideoRotation = .rotation0, width: Int, height: Int
  ) {
    self.codec = codec
    self.data = data
    self.timestampNs = timestampNs
    self.isKeyFrame = isKeyFrame
    self.rotation = rotation
    self.width = width
    self.height = height
  }
}
