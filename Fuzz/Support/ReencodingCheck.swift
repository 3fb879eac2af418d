import Wire

/// Checks that decoding and packing the bytes of a message changes nothing.
///
/// The check decodes the fuzzer's bytes with the limits for messages from clients, and packs the
/// decoded message. These packed bytes must decode, and the second message must pack to the same
/// bytes.
enum ReencodingCheck {
  /// - Returns: The message; `nil` if the bytes are not a message of this type.
  @discardableResult
  static func check<M: WireMessage>(_ type: M.Type, _ bytes: RawSpan) -> M? {
    guard let message = try? M(packed: bytes, limits: .client) else { return nil }
    let packed = message.packed()
    FuzzInput.require(
      message.packedCount == packed.count, "\(M.protoName) is as long as it says")
    guard let again = try? M(packed: packed) else {
      fatalError("Broken: a \(M.protoName) that was read can be read again")
    }
    FuzzInput.require(again.packed() == packed, "\(M.protoName) packs to what it was read from")
    return message
  }
}
