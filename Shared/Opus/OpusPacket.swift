internal import COpus

/// The properties of an Opus packet (RFC 6716, section 3), read without decoding the packet.
public struct OpusPacket: Hashable, Sendable {
  /// The number of samples per channel at 48 kHz, in all frames: 120–5760 (2.5–120 ms).
  public let sampleCount: Int
  /// The number of frames in the packet, 1–48.
  public let frameCount: Int
  /// The number of channels, 1 or 2.
  public let channels: Int
  /// The encoded audio bandwidth.
  public let bandwidth: OpusBandwidth
  /// Whether the packet contains a low-bitrate copy of the previous packet (in-band FEC).
  public let hasRedundancy: Bool

  /// Inspects a packet.
  ///
  /// - Returns: `nil` if the bytes are not a well-formed packet. A well-formed packet can still
  ///   decode to noise, because Opus has no checksum.
  public init?(_ bytes: Span<UInt8>) {
    var packet = copus_packet()
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe copus_packet_inspect(bytes.baseAddress, Int32(clamping: bytes.count), &packet)
    }
    guard result == OPUS_OK, let bandwidth = OpusBandwidth(code: packet.bandwidth) else {
      return nil
    }
    sampleCount = Int(packet.samples)
    frameCount = Int(packet.frames)
    channels = Int(packet.channels)
    self.bandwidth = bandwidth
    hasRedundancy = packet.has_fec != 0
  }
}
