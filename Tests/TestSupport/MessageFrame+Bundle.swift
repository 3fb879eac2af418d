public import Wire
public import ZeroMQ

extension MessageFrame {
  /// Returns the frames of a message of one part: the frames of a bundle, or the message itself.
  ///
  /// - Throws: `WireError` for a malformed bundle.
  public func frames() throws(WireError) -> [[UInt8]] {
    let bytes = bytes
    var reader = try WireFrameBundle.Reader(bytes.span.bytes)
    var frames: [[UInt8]] = []
    while let place = reader.next(in: bytes.span.bytes) { frames.append(Array(bytes[place])) }
    return frames
  }
}
