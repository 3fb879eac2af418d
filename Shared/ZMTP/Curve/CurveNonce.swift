/// A nonce of 24 bytes, which is unique among the boxes of the same keys (26/CurveZMQ).
struct CurveNonce {
  let bytes: InlineArray<24, UInt8>

  /// Creates a short nonce, for the keys of one connection.
  ///
  /// - Parameters:
  ///   - prefix: 16 characters that both sides know and that the command does not carry.
  ///   - number: The number of the command among all commands that one side of the connection
  ///     sends.
  init(_ prefix: StaticString, number: UInt64) {
    bytes = Self.join(prefix, 16) { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
  }

  /// Creates a long nonce, for keys that serve more than one connection.
  ///
  /// - Parameters:
  ///   - prefix: 8 characters that both sides know and that the command does not carry.
  ///   - random: 16 random bytes.
  init(_ prefix: StaticString, random: ArraySlice<UInt8>) {
    precondition(random.count == 16, "A long nonce has 16 bytes.")
    bytes = Self.join(prefix, 8) { random[random.startIndex + $0] }
  }

  private static func join(
    _ prefix: StaticString, _ count: Int, _ rest: (Int) -> UInt8
  ) -> InlineArray<24, UInt8> {
    precondition(prefix.utf8CodeUnitCount == count, "The prefix of a nonce has a fixed length.")
    return prefix.withUTF8Buffer { text in
      InlineArray { unsafe $0 < count ? text[$0] : rest($0 - count) }
    }
  }
}
