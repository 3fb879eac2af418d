internal import COpus

/// Decodes Opus packets to 48 kHz samples (RFC 6716). A decoder has one owner, and only one thread
/// at a time uses it.
///
/// Packets are from other peers. Any bytes are safe to decode: the result is samples or an error.
@safe public struct OpusDecoder: ~Copyable {
  /// The number of samples per channel in the longest packet, 120 ms.
  public static let maxSampleCount = 5760

  private let handle: OpaquePointer
  /// The number of channels of the samples, 1 or 2. If a packet has a different number, Opus mixes
  /// two channels into one channel, or duplicates one channel.
  public let channels: Int

  /// Creates a decoder.
  ///
  /// - Parameter channels: 1 or 2.
  /// - Throws: ``OpusError`` for another number of channels, or if there is no memory.
  public init(channels: Int = 1) throws(OpusError) {
    var code: Int32 = OPUS_OK
    let handle = unsafe opus_decoder_create(48_000, Int32(clamping: channels), &code)
    guard let handle = unsafe handle else { throw OpusError(code) }
    unsafe self.handle = unsafe handle
    self.channels = channels
  }

  deinit { unsafe opus_decoder_destroy(handle) }

  /// Decodes a packet without allocating.
  ///
  /// - Parameter samples: The output, with room for the packet's samples of all channels.
  /// - Returns: The number of decoded samples per channel.
  public mutating func decode(
    _ packet: Span<UInt8>, into samples: inout MutableSpan<Int16>
  ) throws(OpusError) -> Int {
    // libopus would treat an empty packet as a lost packet.
    guard !packet.isEmpty else { throw .invalidPacket }
    return try run(packet, capacity: samples.count / channels, isRedundant: false, &samples)
  }

  /// Decodes a lost packet from its copy in the next packet, or conceals the loss if the next
  /// packet has no copy.
  ///
  /// - Parameters:
  ///   - next: The packet after the lost packet. The caller later decodes this packet as usual.
  ///   - sampleCount: The number of samples per channel in the lost packet, a multiple of 120.
  /// - Returns: The number of decoded samples per channel.
  public mutating func decodeRedundancy(
    of next: Span<UInt8>, sampleCount: Int, into samples: inout MutableSpan<Int16>
  ) throws(OpusError) -> Int {
    guard !next.isEmpty else { throw .invalidPacket }
    guard sampleCount * channels <= samples.count else { throw .bufferTooSmall }
    return try run(next, capacity: sampleCount, isRedundant: true, &samples)
  }

  /// Conceals a lost packet with audio extrapolated from earlier packets. The audio fades out when
  /// several packets in a row are missing.
  ///
  /// - Parameter sampleCount: The number of samples per channel in the lost packet, a multiple of
  ///   120.
  /// - Returns: The number of samples per channel.
  public mutating func conceal(
    sampleCount: Int, into samples: inout MutableSpan<Int16>
  ) throws(OpusError) -> Int {
    guard sampleCount * channels <= samples.count else { throw .bufferTooSmall }
    return try run(Span(), capacity: sampleCount, isRedundant: false, &samples)
  }

  /// Resets the decoder to its initial state.
  public mutating func reset() {
    _ = unsafe copus_decoder_reset(handle)
  }

  private mutating func run(
    _ packet: Span<UInt8>, capacity: Int, isRedundant: Bool, _ samples: inout MutableSpan<Int16>
  ) throws(OpusError) -> Int {
    let result = unsafe packet.withUnsafeBufferPointer { packet in
      unsafe samples.withUnsafeMutableBufferPointer { samples in
        guard let output = samples.baseAddress else { return OPUS_BUFFER_TOO_SMALL }
        return unsafe opus_decode(
          handle, packet.baseAddress, Int32(clamping: packet.count), output,
          Int32(clamping: min(capacity, Self.maxSampleCount)), isRedundant ? 1 : 0)
      }
    }
    return try OpusError.check(result)
  }
}
