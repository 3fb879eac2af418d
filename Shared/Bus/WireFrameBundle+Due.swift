internal import Wire

extension WireFrameBundle {
  /// The number of frames at which the sender sends a bundle before the end of the thread's turn.
  ///
  /// Without this limit, each side would make all its frames before the other side received any
  /// frame. So the two sides would never work at the same time.
  private static let framesAtOnce = 16

  /// The maximum size of a frame in a bundle, in bytes. The sender sends a larger frame alone,
  /// because a bundle would cost another copy of the frame.
  static let largestFrame = 8 << 10

  /// Whether the bundle is so large that the sender sends the bundle before the end of the thread's
  /// turn.
  var isDue: Bool { count >= Self.framesAtOnce || byteCount >= Self.largestFrame }
}
