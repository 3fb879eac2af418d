internal import COpus

/// Turns Opus packets into 48 kHz samples (RFC 6716). It has one owner and one thread at a time.
///
/// Packets come from other peers: whatever their bytes are, the answer is samples or an error.
@safe public struct OpusDecoder: ~Copyable {
  /// Samples per channel in the longest packet, 120 ms.
  public static let maxSampleCount = 5760

  private let handle: OpaquePointer
  /// The number of channels of the samples, 1 or 2, whatever the packets have: Opus mixes or
  /// doubles.
  public let channels: Int

  /// Makes a decoder.
  ///
  /// - Parameter channels: 1 or 2.
  /// - Throws: What libopus says of other numbers, or of a lack of memory.
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
  /// - Parameter samples: Must hold the packet's samples for all channels.
  /// - Returns: Samples per channel.
  public mutating func decode(
    _ packet: Span<UInt8>, into samples: inout MutableSpan<Int16>
  ) throws(OpusError) -> Int {
    // libopus takes no bytes for a lost packet.
    guard !packet.isEmpty else { throw .invalidPacket }
    return try run(packet, capacity: samples.count / channels, isRedundant: false, &samples)
  }

  /// Rebuilds a lost packet from the copy that the one after it holds, or conceals it if it has
  /// none.
  ///
  /// - Parameters:
  ///   - next: The packet after the lost one; decode it as usual afterwards.
  ///   - sampleCount: Of the lost packet, per channel: a multiple of 120.
  /// - Returns: Samples per channel.
  public mutating func decodeRedundancy(
    of next: Span<UInt8>, sampleCount: Int, into samples: inout MutableSpan<Int16>
  ) throws(OpusError) -> Int {
    guard !next.isEmpty else { throw .invalidPacket }
    guard sampleCount * channels <= samples.count else { throw .bufferTooSmall }
    return try run(next, capacity: sampleCount, isRedundant: true, &samples)
  }

  /// Makes up for a lost packet from what came before it. Fades out over several in a row.
  ///
  /// - Parameter sampleCount: Per channel: a multiple of 120.
  /// - Returns: Samples per channel.
  public mutating func conceal(
    sampleCount: Int, into samples: inout MutableSpan<Int16>
  ) throws(OpusError) -> Int {
    guard sampleCount * channels <= samples.count else { throw .bufferTooSmall }
    return try run(Span(), capacity: sampleCount, isRedundant: false, &samples)
  }

  /// Forgets what was decoded.
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
