internal import Wire

extension FrameBundle {
  /// A bundle leaves when it has this many frames, although its turn goes on: if either side made
  /// all of its frames before the other one got any, the two would work by turns.
  private static let framesAtOnce = 16

  /// A frame of more bytes than this leaves alone: to gather it would be a copy more.
  static let largestFrame = 8 << 10

  /// It has enough to leave before its turn is over.
  var isDue: Bool { count >= Self.framesAtOnce || byteCount >= Self.largestFrame }
}
