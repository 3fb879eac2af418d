import Wire

/// The coding of frames in WebSocket messages. In each message, one byte without meaning precedes
/// the frame.
enum SignalCodec {
  /// The first byte of a message from the gateway.
  static let mark: UInt8 = 2

  /// The maximum size of a client's message, in bytes. An offer with many video sections is large.
  static let mostBytes = 262_144

  private static let limits = WireLimits(maximumBytes: mostBytes, maximumMemory: 4 * mostBytes)

  /// Returns the frame in a message. Ignores the message's first byte.
  ///
  /// - Throws: ``WireError`` for an invalid frame.
  static func frame(
    in message: [UInt8]
  ) throws(WireError) -> Signaling.SdkSignalFrame {
    guard message.count > 1 else { throw .truncated }
    return try unsafe Signaling.SdkSignalFrame(
      packed: message.span.bytes.extracting(1...), limits: limits)
  }

  /// Returns the message that carries a frame.
  static func message(_ frame: Signaling.SdkSignalFrame) -> [UInt8] { [mark] + frame.packed() }
}
