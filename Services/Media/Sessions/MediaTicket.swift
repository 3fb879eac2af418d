/// The secret that binds a connection to its session: 128 random bits that the gateway chooses.
struct MediaTicket: Hashable, Sendable {
  private let high: UInt64
  private let low: UInt64

  /// The length of a ticket in bytes.
  static let size = 16

  /// Creates a ticket; returns `nil` unless there are exactly 16 bytes.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    high = Self.word(bytes, at: 0)
    low = Self.word(bytes, at: 8)
  }

  /// Reads a ticket from a gateway's message.
  init(wire bytes: [UInt8]) throws(MediaError) {
    guard let ticket = MediaTicket(bytes.span) else {
      throw .malformed(field: "ticket", rule: "16 bytes")
    }
    self = ticket
  }

  private static func word(_ bytes: Span<UInt8>, at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in offset..<offset + 8 { word = word << 8 | UInt64(bytes[index]) }
    return word
  }
}
