internal import Wire
internal import ZeroMQ

/// The limit of the raw frames that follow a message's first frame.
public enum RawWireFrameLimit {
  /// The maximum number of raw frames in one message.
  public static let most = Socket.maximumParts - 2
}

extension ReceiveBuffer {
  /// Removes and returns the raw frames after the first frame.
  ///
  /// - Returns: The frames, or `nil` if their number differs from the number in the header.
  mutating func takeRawFrames(_ header: V1.ReplyHeader) -> [MessageFrame]? {
    guard partCount - 1 == Int(header.rawCount) else { return nil }
    var frames: [MessageFrame] = []
    for index in 0..<partCount where index > 0 { frames.append(takePart(index)) }
    return frames
  }
}
