internal import CCarillonWire

/// A message in an arena, ready for the caller to pack. The prepared message is valid only as long
/// as the arena exists.
@safe public struct ArenaMessage {
  private let message: UnsafePointer<ProtobufCMessage>
  /// The size of the packed message in bytes.
  let count: Int

  init(_ message: UnsafePointer<ProtobufCMessage>) {
    unsafe self.message = message
    count = unsafe protobuf_c_message_get_packed_size(message)
  }

  /// Writes the message at the start of `buffer`, which must have room for ``count`` bytes.
  ///
  /// - Returns: The number of bytes written.
  @unsafe func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard count > 0, let start = buffer.baseAddress else { return 0 }
    assert(buffer.count >= count, "The buffer has no room for the message.")
    return unsafe protobuf_c_message_pack(message, start)
  }
}
