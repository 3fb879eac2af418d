package import CarillonClientCore
internal import VPX

/// A few seconds of a test pattern as VP8, for those that show much video at little cost.
///
/// It begins with a key frame and has one in every second, so that it can be played from any second
/// on, and in a loop.
package struct VideoRecording: Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  package let framesPerSecond: Int
  let frames: [VP8Frame]

  /// Records a test pattern now.
  ///
  /// - Parameters:
  ///   - width: In pixels, 2-4096.
  ///   - height: In pixels, 2-4096.
  ///   - framesPerSecond: 1-60.
  ///   - seconds: Its length, at least 1.
  ///   - bitsPerSecond: What it may take.
  /// - Throws: ``VPX/VPXError`` if libvpx does not make it.
  package init(
    ofTestPattern width: Int, _ height: Int, framesPerSecond: Int, seconds: Int, bitsPerSecond: Int
  ) throws {
    let pattern = TestPattern(width: width, height: height, tint: (110, 140))
    try self.init(
      width, height, framesPerSecond: framesPerSecond, seconds: seconds,
      bitsPerSecond: bitsPerSecond, of: pattern.picture)
  }

  /// Records pictures now.
  ///
  /// - Parameter picture: Draws the picture with a number; `nil` leaves it out.
  package init(
    _ width: Int, _ height: Int, framesPerSecond: Int, seconds: Int, bitsPerSecond: Int,
    of picture: (Int) -> VideoFrameI420Buffer?
  ) throws {
    var settings = VP8Encoder.Settings(
      width: width, height: height, bitsPerSecond: bitsPerSecond, framesPerSecond: framesPerSecond)
    // Each picture has its number.
    settings.leavesOutFrames = false
    var encoder = try VP8Encoder(settings)
    let interval = VP8Encoder.clockRate / framesPerSecond
    var frames: [VP8Frame] = []
    for number in 0..<(seconds * framesPerSecond) {
      guard let picture = picture(number).flatMap({ I420Picture($0) }) else { continue }
      let frame = try encoder.encode(
        picture, timestamp: Int64(number * interval), duration: interval,
        forcingKeyFrame: number % framesPerSecond == 0)
      if let frame { frames.append(frame) }
    }
    (self.width, self.height) = (width, height)
    self.framesPerSecond = framesPerSecond
    self.frames = frames
  }

  /// How many pictures it has; their numbers, as ``CarillonClient/FrameCounter`` reads them, count
  /// from 0.
  package var count: Int { frames.count }
}
