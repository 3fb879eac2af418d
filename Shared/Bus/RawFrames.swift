internal import Wire
internal import ZeroMQ

/// What holds for the raw frames behind the frame of a message.
public enum RawFrames {
  /// Most of one message.
  public static let most = Socket.maximumParts - 2
}

extension ReceivedMessage {
  /// Takes the raw frames out, as many as the header names.
  ///
  /// - Returns: `nil` if there are more or fewer.
  mutating func takeRawFrames(_ header: V1.ReplyHeader) -> [Frame]? {
    guard partCount - 1 == Int(header.rawCount) else { return nil }
    var frames: [Frame] = []
    for index in 0..<partCount where index > 0 { frames.append(takePart(index)) }
    return frames
  }
}
