/// How loud the audio of a packet is, as its sender says in a header extension (RFC 6464).
public struct AudioLevel: Hashable, Sendable {
  /// The level in −dBov: 0 is the loudest there is, 127 is silence.
  public let attenuation: UInt8

  /// Whether the sender takes it for speech.
  public let isSpeech: Bool

  /// - Parameter attenuation: In −dBov; more than 127 is 127.
  public init(attenuation: UInt8, isSpeech: Bool) {
    self.attenuation = min(attenuation, 127)
    self.isSpeech = isSpeech
  }

  /// Reads it from a packet.
  ///
  /// - Parameter id: Of the header extension, as agreed with the sender.
  /// - Returns: `nil` if the packet does not say.
  public init?(of packet: RTPPacket, id: UInt8, in bytes: Span<UInt8>) {
    guard let value = packet.headerExtension(id, in: bytes), !value.isEmpty else { return nil }
    let byte = bytes[value.lowerBound]
    attenuation = byte & 0x7f
    isSpeech = byte & 0x80 != 0
  }

  /// Writes it as a header extension, within ``RTPHeader/begin(in:extensions:)``.
  ///
  /// - Parameter id: 1–14.
  public func append(to buffer: inout [UInt8], id: UInt8) {
    precondition((1...14).contains(id), "The id of a one-byte header extension is 1-14.")
    buffer.append(id << 4)
    buffer.append((isSpeech ? 0x80 : 0) | attenuation)
  }
}
