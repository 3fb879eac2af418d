internal import Wire

extension FrameBundle {
  /// The number of frames at which a bundle is sent before its turn ends.
  ///
  /// Without this limit, each side would make all its frames before the other side received any
  /// frame. So the two sides would never work at the same time.
  private static let framesAtOnce = 16

  /// The maximum size of a frame in a bundle, in bytes. A larger frame is sent alone, because
  /// adding it to a bundle costs another copy.
  static let largestFrame = 8 << 10

  /// Whether the bundle is large enough to be sent before its turn ends.
  var isDue: Bool { count >= Self.framesAtOnce || byteCount >= Self.largestFrame }
}
