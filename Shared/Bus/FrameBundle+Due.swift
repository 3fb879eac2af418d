internal import Wire

extension FrameBundle {
  /// The number of frames at which a bundle is sent before its turn ends.
  ///
  /// Without this limit each side would make all of its frames before the other side received any.
  /// The two sides would only work alternately.
  private static let framesAtOnce = 16

  /// The size in bytes above which a frame is sent alone, because adding it to a bundle costs
  /// another copy.
  static let largestFrame = 8 << 10

  /// Whether the bundle is large enough to be sent before its turn ends.
  var isDue: Bool { count >= Self.framesAtOnce || byteCount >= Self.largestFrame }
}
