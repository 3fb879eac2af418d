/// What is known of a frame that was put together; its data is beside it.
public struct VideoFrame: Hashable, Sendable {
  /// Ticks of 1/90,000 s; wraps.
  public let timestamp: UInt32

  /// Whether decoding can begin here.
  public internal(set) var isKeyFrame = false

  /// The width of a key frame, in pixels; 0 if it does not say.
  public internal(set) var width = 0

  /// The height of a key frame, in pixels; 0 if it does not say.
  public internal(set) var height = 0

  /// How the picture lies. If a key frame does not say, it is upright. If another frame does not
  /// say, it lies as the frame before it.
  public internal(set) var orientation = VideoOrientation.upright

  /// The temporal layer of VP8; 0 if it has none.
  public internal(set) var temporalLayer: UInt8 = 0

  /// The picture id of VP8, 7 or 15 bits.
  public internal(set) var pictureID: UInt16?

  init(timestamp: UInt32) {
    self.timestamp = timestamp
  }
}
