internal import Wire

extension FrameBundle {
  /// The number of frames at which a bundle is sent within its turn.
  ///
  /// If each side made all of its frames before the other received any, the two sides would only
  /// work alternately.
  private static let framesAtOnce = 16

  /// The size above which a frame is sent alone, because gathering it would be another copy, in
  /// bytes.
  static let largestFrame = 8 << 10

  /// Whether it is large enough to be sent before its turn ends.
  var isDue: Bool { count >= Self.framesAtOnce || byteCount >= Self.largestFrame }
}
