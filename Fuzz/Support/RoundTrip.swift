import Wire

/// Reads bytes as a message, with the limits of a client.
///
/// A message that was read must pack to bytes that decode to the same message and pack to
/// themselves.
enum RoundTrip {
  /// - Returns: The message, or `nil` if the bytes are not one.
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
