package import CarillonClientCore
internal import VPX

/// A short VP8 recording, for programs that send many videos at little cost.
///
/// The first frame of each second is a key frame. So a program can play the recording from any
/// second, and in a loop.
package struct VideoRecording: Sendable {
  /// The width in pixels.
  package let width: Int
  /// The height in pixels.
  package let height: Int
  package let framesPerSecond: Int
  let frames: [VP8Frame]

  /// Records a test pattern. The initializer returns after the recording is complete.
  ///
  /// - Parameters:
  ///   - width: The width in pixels, 2-4096.
  ///   - height: The height in pixels, 2-4096.
  ///   - framesPerSecond: The frame rate, 1-60.
  ///   - seconds: The length in seconds, at least 1.
  ///   - bitsPerSecond: The target bitrate, in bit/s.
  /// - Throws: ``VPX/VPXError`` if libvpx fails.
  package init(
    ofTestPattern width: Int, _ height: Int, framesPerSecond: Int, seconds: Int, bitsPerSecond: Int
  ) throws {
    let pattern = TestPattern(width: width, height: height, tint: (110, 140))
    try self.init(
      width, height, framesPerSecond: framesPerSecond, seconds: seconds,
      bitsPerSecond: bitsPerSecond, of: pattern.picture)
  }

  /// Records pictures. The initializer returns after the recording is complete.
  ///
  /// - Parameter picture: Returns the picture for the given number; `nil` skips this picture.
  package init(
    _ width: Int, _ height: Int, framesPerSecond: Int, seconds: Int, bitsPerSecond: Int,
    of picture: (Int) -> VideoFrameI420Buffer?
  ) throws {
    var settings = VP8Encoder.Settings(
      width: width, height: height, bitsPerSecond: bitsPerSecond, framesPerSecond: framesPerSecond)
    // The pictures keep their numbers only if the encoder drops no picture.
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

  /// The number of frames.
  ///
  /// The numbers that ``CarillonClient/FrameCounter`` reads from the frames begin at 0.
  package var count: Int { frames.count }
}
