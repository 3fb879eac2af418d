/// The loudness of a packet's audio, from a header extension that the sender sets (RFC 6464).
public struct AudioLevel: Hashable, Sendable {
  /// The level in −dBov: 0 is the loudest, 127 is silence.
  public let attenuation: UInt8

  /// Whether the sender classifies the audio as speech.
  public let isSpeech: Bool

  /// Creates a level.
  ///
  /// - Parameter attenuation: The level in −dBov; values above 127 become 127.
  public init(attenuation: UInt8, isSpeech: Bool) {
    self.attenuation = min(attenuation, 127)
    self.isSpeech = isSpeech
  }

  /// Reads the level from a packet.
  ///
  /// - Parameter id: The id of the header extension that the receiver and the sender have
  ///   negotiated.
  /// - Returns: `nil` if the packet lacks the extension.
  public init?(of packet: RTPPacket, id: UInt8, in bytes: Span<UInt8>) {
    guard let value = packet.headerExtension(id, in: bytes), !value.isEmpty else { return nil }
    let byte = bytes[value.lowerBound]
    attenuation = byte & 0x7f
    isSpeech = byte & 0x80 != 0
  }

  /// Appends the level as a header extension, within ``OutgoingRTPHeader/begin(in:extensions:)``.
  ///
  /// - Parameter id: The id of the extension, 1–14.
  public func append(to buffer: inout [UInt8], id: UInt8) {
    precondition((1...14).contains(id), "The id of a one-byte header extension is 1-14.")
    buffer.append(id << 4)
    buffer.append((isSpeech ? 0x80 : 0) | attenuation)
  }
}
