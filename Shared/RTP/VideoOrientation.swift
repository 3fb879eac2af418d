/// How a picture lies, as its sender says in a header extension (3GPP TS 26.114, section 7.4.5).
///
/// The extension is one byte: four bits that are 0, then C (the camera at the back filmed), F (the
/// picture is mirrored) and two bits of quarter turns.
public struct VideoOrientation: Hashable, Sendable {
  /// The byte, without its upper four bits.
  public let byte: UInt8

  /// The URI that names the header extension in offers.
  public static let uri = "urn:3gpp:video-orientation"

  /// The id of the header extension between media and its ZeroMQ clients.
  public static let id: UInt8 = 13

  /// A picture that is shown as it comes.
  public static let upright = VideoOrientation(byte: 0)

  /// - Parameter byte: The upper four bits are cut off.
  public init(byte: UInt8) {
    self.byte = byte & 0x0F
  }

  /// - Parameter degrees: How far the picture is to be turned clockwise before it is shown; the
  ///   rest of a quarter turn is cut off.
  public init(degrees: Int) {
    self.init(byte: UInt8(truncatingIfNeeded: degrees / 90) & 0x03)
  }

  /// How far the picture is to be turned clockwise before it is shown: 0, 90, 180 or 270.
  public var degrees: Int { Int(byte & 0x03) * 90 }

  /// Whether the camera at the back of the device filmed.
  public var isBackCamera: Bool { byte & 0x08 != 0 }

  /// Whether the picture is mirrored, left to right.
  public var isFlipped: Bool { byte & 0x04 != 0 }

  /// Reads it from a packet.
  ///
  /// - Parameter id: Of the header extension, as agreed with the sender.
  /// - Returns: `nil` if the packet does not say.
  public init?(of packet: RTPPacket, id: UInt8 = Self.id, in bytes: Span<UInt8>) {
    guard !packet.extensions.isEmpty, let value = packet.headerExtension(id, in: bytes),
      !value.isEmpty
    else { return nil }
    self.init(byte: bytes[value.lowerBound])
  }

  /// Writes it as a header extension, within ``RTPHeader/begin(in:extensions:)``.
  ///
  /// - Parameter id: 1–14.
  public func append(to buffer: inout [UInt8], id: UInt8 = Self.id) {
    precondition((1...14).contains(id), "The id of a one-byte header extension is 1-14.")
    buffer.append(id << 4)
    buffer.append(byte)
  }

  /// Bytes of the header extension with its own header and padding.
  public static let extensionBytes = 8

  /// Puts it, under ``id``, into a packet that has neither contributors nor header extensions.
  ///
  /// - Parameter count: Bytes of the packet at the start. ``extensionBytes`` more must have room.
  /// - Returns: Bytes of the packet from now on.
  public func insert(into bytes: inout MutableSpan<UInt8>, count: Int) -> Int {
    let start = RTPPacket.smallestHeaderBytes
    precondition(bytes.count >= count + Self.extensionBytes, "The extension has no room.")
    for index in (start..<count).reversed() { bytes[index + Self.extensionBytes] = bytes[index] }
    let item: [8 of UInt8] = [0xBE, 0xDE, 0, 1, Self.id << 4, byte, 0, 0]
    for index in 0..<Self.extensionBytes { bytes[start + index] = item[index] }
    bytes[0] |= 0x10
    return count + Self.extensionBytes
  }
}
