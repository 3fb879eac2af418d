/// The width and height of a picture, in pixels.
public struct FrameSize: Hashable, Sendable {
  /// The width in pixels.
  public var width: Int

  /// The height in pixels.
  public var height: Int

  /// Creates a size in pixels.
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  /// The default target resolution of a receiver.
  public static let standard = FrameSize(width: 960, height: 720)

  /// Returns whether a picture of this size covers `target` in either orientation: 720 x 1280
  /// covers 960 x 720.
  public func covers(_ target: FrameSize) -> Bool {
    max(width, height) >= max(target.width, target.height)
      && min(width, height) >= min(target.width, target.height)
  }
}
