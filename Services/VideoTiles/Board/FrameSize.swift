/// Width and height of a picture, in pixels.
struct FrameSize: Hashable, Sendable {
  var width: Int
  var height: Int

  /// What a receiver wants when it says nothing.
  static let standard = FrameSize(width: 960, height: 720)

  /// Whether it has the pixels for `target`, either way up: 720 x 1280 covers 960 x 720.
  func covers(_ target: FrameSize) -> Bool {
    max(width, height) >= max(target.width, target.height)
      && min(width, height) >= min(target.width, target.height)
  }
}
