/// The properties of a reassembled frame; its data is separate.
public struct VideoFrame: Hashable, Sendable {
  /// The timestamp in 1/90,000 s; it wraps.
  public let timestamp: UInt32

  /// Whether decoding can begin with this frame.
  public internal(set) var isKeyFrame = false

  /// The width of a key frame, in pixels; 0 if unknown.
  public internal(set) var width = 0

  /// The height of a key frame, in pixels; 0 if unknown.
  public internal(set) var height = 0

  /// The orientation of the picture.
  ///
  /// A key frame without an orientation is upright. Any other frame without an orientation has the
  /// orientation of the previous frame.
  public internal(set) var orientation = VideoOrientation.upright

  /// The temporal layer of VP8 or VP9; 0 if the video has no temporal layers.
  public internal(set) var temporalLayer: UInt8 = 0

  /// The picture id of VP8 or VP9, 7 or 15 bits.
  public internal(set) var pictureID: UInt16?

  init(timestamp: UInt32) {
    self.timestamp = timestamp
  }
}
