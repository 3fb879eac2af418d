/// The orientation of a picture, from a header extension that the sender sets (3GPP TS 26.114,
/// section 7.4.5).
///
/// The extension is one byte: four zero bits, then C (recorded by the back camera), F (the picture
/// is mirrored), and two bits of quarter turns.
public struct VideoOrientation: Hashable, Sendable {
  /// The byte, without its upper four bits.
  public let byte: UInt8

  /// The URI that names the header extension in offers.
  public static let uri = "urn:3gpp:video-orientation"

  /// The id of the header extension between the media service and its ZeroMQ clients.
  public static let id: UInt8 = 13

  /// The orientation of a picture that needs no change.
  public static let upright = VideoOrientation(byte: 0)

  /// Creates an orientation from the extension's byte.
  ///
  /// - Parameter byte: The byte; this type drops its upper four bits.
  public init(byte: UInt8) {
    self.byte = byte & 0x0F
  }

  /// Creates an orientation from a rotation.
  ///
  /// - Parameter degrees: The clockwise rotation that displays the picture upright. The initializer
  ///   rounds the rotation down to quarter turns.
  public init(degrees: Int) {
    self.init(byte: UInt8(truncatingIfNeeded: degrees / 90) & 0x03)
  }

  /// The clockwise rotation that displays the picture upright: 0, 90, 180 or 270.
  public var degrees: Int { Int(byte & 0x03) * 90 }

  /// Whether the device's back camera recorded the picture.
  public var isBackCamera: Bool { byte & 0x08 != 0 }

  /// Whether the picture is mirrored horizontally.
  public var isFlipped: Bool { byte & 0x04 != 0 }

  /// Reads the orientation from a packet.
  ///
  /// - Parameter id: The id of the header extension, as negotiated with the sender.
  /// - Returns: `nil` if the packet lacks the extension.
  public init?(of packet: RTPPacket, id: UInt8 = Self.id, in bytes: Span<UInt8>) {
    guard !packet.extensions.isEmpty, let value = packet.headerExtension(id, in: bytes),
      !value.isEmpty
    else { return nil }
    self.init(byte: bytes[value.lowerBound])
  }

  /// Appends the orientation as a header extension, within
  /// ``OutgoingRTPHeader/begin(in:extensions:)``.
  ///
  /// - Parameter id: The id of the extension, 1–14.
  public func append(to buffer: inout [UInt8], id: UInt8 = Self.id) {
    precondition((1...14).contains(id), "The id of a one-byte header extension is 1-14.")
    buffer.append(id << 4)
    buffer.append(byte)
  }

  /// The size of a packet's header extensions, in bytes, if the orientation is the only extension.
  public static let extensionBytes = 8
}
