/// The video that a session sends, with the SSRCs that the meeting assigned.
package struct VideoPublication: Hashable, Sendable {
  /// One encoding of the video.
  package struct Layer: Hashable, Sendable {
    package var ssrc: UInt32
    /// The largest width, in pixels.
    package var width: Int
    /// The largest height, in pixels.
    package var height: Int
    package var framesPerSecond: Int
    /// The highest bitrate, in bit/s.
    package var bitsPerSecond: Int

    package init(
      ssrc: UInt32, width: Int, height: Int, framesPerSecond: Int, bitsPerSecond: Int
    ) {
      self.ssrc = ssrc
      self.width = width
      self.height = height
      self.framesPerSecond = framesPerSecond
      self.bitsPerSecond = bitsPerSecond
    }
  }

  /// The number of the ``VideoDeclaration`` from which the client made this publication.
  package var number: UInt64
  package var isContent: Bool
  package var hint: VideoContentHint
  /// One to three layers, the lowest bitrate first.
  package var layers: [Layer]

  package init(number: UInt64, isContent: Bool, hint: VideoContentHint, layers: [Layer]) {
    self.number = number
    self.isContent = isContent
    self.hint = hint
    self.layers = layers
  }
}
