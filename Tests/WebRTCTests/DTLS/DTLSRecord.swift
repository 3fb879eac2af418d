/// A DTLS record that tests parse and build (RFC 6347, §4.1).
struct DTLSRecord {
  var type: UInt8
  var epoch: UInt16 = 0
  var sequence: UInt64 = 0
  var content: [UInt8]

  static let alert: UInt8 = 21
  static let handshake: UInt8 = 22
  static let applicationData: UInt8 = 23

  var bytes: [UInt8] {
    [type, 0xfe, 0xfd] + Self.bytes(UInt64(epoch), 2) + Self.bytes(sequence, 6)
      + Self.bytes(UInt64(content.count), 2) + content
  }

  /// Returns an unencrypted fatal alert.
  static func fatalAlert(_ description: UInt8, sequence: UInt64) -> DTLSRecord {
    DTLSRecord(type: alert, sequence: sequence, content: [2, description])
  }

  /// Returns a fragment of a handshake message (RFC 6347, §4.2.2).
  ///
  /// - Parameters:
  ///   - message: A whole message in one fragment, with its header.
  ///   - range: Bytes of the message's body.
  static func fragment(
    _ range: Range<Int>, of message: [UInt8], sequence: UInt64
  ) -> DTLSRecord {
    let body = message.dropFirst(12).dropFirst(range.lowerBound).prefix(range.count)
    let place = bytes(UInt64(range.lowerBound), 3) + bytes(UInt64(range.count), 3)
    return DTLSRecord(
      type: handshake, sequence: sequence, content: message.prefix(6) + place + body)
  }

  private static func bytes(_ number: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }
}
