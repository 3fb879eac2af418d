/// Iterates over a packet's header extensions in their one-byte or two-byte form (RFC 8285).
///
/// A malformed item ends the iteration. Earlier items remain valid.
public struct HeaderExtensionReader: Sendable {
  private let form: Form?
  private let end: Int
  private var offset: Int

  private enum Form: Hashable, Sendable {
    case oneByte
    case twoByte
  }

  /// The profile of one-byte items.
  static let oneByteProfile: UInt16 = 0xBEDE

  /// Creates a reader that begins with the first extension of a packet.
  public init(_ packet: RTPPacket) {
    form =
      switch packet.extensionProfile {
      case Self.oneByteProfile: .oneByte
      // The application defines the low four bits (RFC 8285, section 4.3).
      case 0x1000...0x100F: .twoByte
      default: nil
      }
    offset = packet.extensions.lowerBound
    end = packet.extensions.upperBound
  }

  /// Returns the next item: its id and the range of its value.
  ///
  /// - Parameter bytes: The bytes of the packet.
  public mutating func next(in bytes: Span<UInt8>) -> (id: UInt8, value: Range<Int>)? {
    while offset < end, bytes[offset] == 0 { offset += 1 }
    guard let form, offset < end else { return nil }
    let (id, start, count): (UInt8, Int, Int)
    switch form {
    case .oneByte:
      id = bytes[offset] >> 4
      (start, count) = (offset + 1, Int(bytes[offset] & 0x0f) + 1)
      // The reserved id 15 ends the list (RFC 8285, section 4.2).
      guard id != 15 else { return finish() }
    case .twoByte:
      guard offset + 1 < end else { return finish() }
      id = bytes[offset]
      (start, count) = (offset + 2, Int(bytes[offset + 1]))
    }
    guard start + count <= end else { return finish() }
    offset = start + count
    return (id, start..<offset)
  }

  private mutating func finish() -> (id: UInt8, value: Range<Int>)? {
    offset = end
    return nil
  }
}
