import Wire

/// Frames as they travel in messages of a WebSocket: behind one byte that says nothing.
enum SignalCodec {
  /// The first byte of a message from the gateway.
  static let mark: UInt8 = 2

  /// The largest message of a client: an offer with many sections of video is large.
  static let mostBytes = 262_144

  private static let limits = WireLimits(maximumBytes: mostBytes, maximumMemory: 4 * mostBytes)

  /// The frame in a message, whatever its first byte.
  ///
  /// - Throws: ``WireError`` for what is no frame.
  static func frame(
    in message: [UInt8]
  ) throws(WireError) -> Signaling.SdkSignalFrame {
    guard message.count > 1 else { throw .truncated }
    return try unsafe Signaling.SdkSignalFrame(
      packed: message.span.bytes.extracting(1...), limits: limits)
  }

  /// The message that has a frame.
  static func message(_ frame: Signaling.SdkSignalFrame) -> [UInt8] { [mark] + frame.packed() }
}
