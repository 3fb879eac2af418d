internal import COpus

/// What an Opus packet says of itself (RFC 6716, section 3), without decoding it.
public struct OpusPacket: Hashable, Sendable {
  /// The samples of one channel at 48 kHz, over all frames: 120–5760 (2.5–120 ms).
  public let sampleCount: Int
  /// Frames in the packet, 1–48.
  public let frameCount: Int
  /// The number of channels, 1 or 2.
  public let channels: Int
  /// The range of frequencies that was encoded.
  public let bandwidth: OpusBandwidth
  /// Whether it holds a coarse copy of the packet before it (in-band FEC).
  public let hasRedundancy: Bool

  /// - Returns: `nil` if the bytes are not a well-formed packet. One that is may still decode to
  ///   noise: Opus has no checksum.
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
