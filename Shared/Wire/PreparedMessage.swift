internal import CCarillonWire

/// A message in an arena, ready to be packed. Of use only while its arena lives.
@safe public struct PreparedMessage {
  private let message: UnsafePointer<ProtobufCMessage>
  /// Packed length in bytes.
  let count: Int

  init(_ message: UnsafePointer<ProtobufCMessage>) {
    unsafe self.message = message
    count = unsafe protobuf_c_message_get_packed_size(message)
  }

  /// Packs the message to the start of `buffer`, which has room for ``count`` bytes.
  ///
  /// - Returns: How many bytes it was.
  @unsafe func write(to buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    guard count > 0, let start = buffer.baseAddress else { return 0 }
    assert(buffer.count >= count, "The buffer has no room for the message.")
    return unsafe protobuf_c_message_pack(message, start)
  }
}
