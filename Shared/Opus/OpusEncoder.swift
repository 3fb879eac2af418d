internal import COpus

/// Encodes 48 kHz samples as Opus packets (RFC 6716). An encoder has one owner, and only one thread
/// at a time uses it.
@safe public struct OpusEncoder: ~Copyable {
  /// The maximum size of a packet of up to 60 ms, in bytes.
  public static let maxPacketBytes = 1275 * 3 + 7

  private let handle: OpaquePointer
  /// The settings with which the caller created the encoder.
  public let settings: OpusSettings
  /// Whether discontinuous transmission (DTX) is on now: no packets during silence.
  public private(set) var isDiscontinuous: Bool

  /// Creates an encoder.
  ///
  /// - Throws: ``OpusError`` for settings out of range, or if there is no memory.
  public init(_ settings: OpusSettings = OpusSettings()) throws(OpusError) {
    unsafe handle = try Self.makeHandle(settings)
    self.settings = settings
    isDiscontinuous = settings.isDiscontinuous
  }

  deinit { unsafe opus_encoder_destroy(handle) }

  /// Encodes one packet without allocating.
  ///
  /// - Parameters:
  ///   - samples: The interleaved samples of 2.5, 5, 10, 20, 40 or 60 ms; 20 ms are 960 samples per
  ///     channel.
  ///   - packet: The output buffer. A small buffer lowers the bitrate.
  /// - Returns: The size of the packet in bytes. The size is 0 if DTX is on and silence makes the
  ///   packet unnecessary.
  public mutating func encode(
    _ samples: Span<Int16>, into packet: inout MutableSpan<UInt8>
  ) throws(OpusError) -> Int {
    let frameSize = Int32(clamping: samples.count / settings.channels)
    let result = unsafe samples.withUnsafeBufferPointer { samples in
      unsafe packet.withUnsafeMutableBufferPointer { packet in
        guard let input = samples.baseAddress, let output = packet.baseAddress else {
          return OPUS_BAD_ARG
        }
        return unsafe opus_encode(handle, input, frameSize, output, Int32(clamping: packet.count))
      }
    }
    let count = try OpusError.check(result)
    // opus_encode(3): the sender need not transmit packets of one or two bytes.
    return isDiscontinuous && count <= 2 ? 0 : count
  }

  /// Sets whether a receiver can decode the next packets without earlier packets, at the cost of
  /// quality. One independent packet lets a decoder switch to this stream from another stream.
  public mutating func setIndependent(_ isIndependent: Bool) throws(OpusError) {
    _ = try OpusError.check(
      unsafe copus_encoder_set_prediction_disabled(handle, isIndependent ? 1 : 0))
  }

  /// Sets the bitrate from the next packet on, in bit/s: 500–512,000.
  public mutating func setBitrate(_ bitrate: Int) throws(OpusError) {
    _ = try OpusError.check(unsafe copus_encoder_set_bitrate(handle, Int32(clamping: bitrate)))
  }

  /// Sets the packet loss that the encoder protects against, in per cent: 0–100.
  public mutating func setExpectedLoss(_ percent: Int) throws(OpusError) {
    _ = try OpusError.check(
      unsafe copus_encoder_set_expected_loss(handle, Int32(clamping: percent)))
  }

  /// Turns discontinuous transmission (DTX) on or off from the next packet on.
  ///
  /// With DTX, the encoder makes no packets while it detects silence or steady noise. Up to
  /// complexity 6, the encoder also classifies a steady tone as noise.
  public mutating func setDiscontinuous(_ isDiscontinuous: Bool) throws(OpusError) {
    guard isDiscontinuous != self.isDiscontinuous else { return }
    _ = try OpusError.check(unsafe copus_encoder_set_dtx(handle, isDiscontinuous ? 1 : 0))
    self.isDiscontinuous = isDiscontinuous
  }

  /// Resets the encoder to its initial state. The settings do not change.
  public mutating func reset() throws(OpusError) {
    _ = try OpusError.check(unsafe copus_encoder_reset(handle))
  }

  private static func makeHandle(_ settings: OpusSettings) throws(OpusError) -> OpaquePointer {
    var code: Int32 = OPUS_OK
    let handle = unsafe opus_encoder_create(
      48_000, Int32(clamping: settings.channels), settings.application.code, &code)
    guard let handle = unsafe handle else { throw OpusError(code) }
    let results = unsafe [
      copus_encoder_set_bitrate(handle, Int32(clamping: settings.bitrate)),
      copus_encoder_set_complexity(handle, Int32(clamping: settings.complexity)),
      copus_encoder_set_inband_fec(handle, settings.hasRedundancy ? 1 : 0),
      copus_encoder_set_expected_loss(handle, Int32(clamping: settings.expectedLoss)),
      copus_encoder_set_dtx(handle, settings.isDiscontinuous ? 1 : 0),
      copus_encoder_set_max_bandwidth(handle, settings.maxBandwidth.code),
    ]
    if let failure = results.first(where: { $0 != OPUS_OK }) {
      unsafe opus_encoder_destroy(handle)
      throw OpusError(failure)
    }
    return unsafe handle
  }
}
