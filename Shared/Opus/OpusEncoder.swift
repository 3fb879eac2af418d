internal import COpus

/// Turns 48 kHz samples into Opus packets (RFC 6716). It has one owner and one thread at a time.
@safe public struct OpusEncoder: ~Copyable {
  /// A packet of up to 60 ms has never more bytes.
  public static let maxPacketBytes = 1275 * 3 + 7

  private let handle: OpaquePointer
  /// What it was made with.
  public let settings: OpusSettings
  /// Whether it may say nothing now (DTX).
  public private(set) var isDiscontinuous: Bool

  /// Makes an encoder.
  ///
  /// - Throws: What libopus says of settings out of their range, or of a lack of memory.
  public init(_ settings: OpusSettings = OpusSettings()) throws(OpusError) {
    unsafe handle = try Self.makeHandle(settings)
    self.settings = settings
    isDiscontinuous = settings.isDiscontinuous
  }

  deinit { unsafe opus_encoder_destroy(handle) }

  /// Encodes one packet without allocating.
  ///
  /// - Parameters:
  ///   - samples: 2.5, 5, 10, 20, 40 or 60 ms: 960 samples per channel are 20 ms. Interleaved.
  ///   - packet: Where the packet goes. A small one lowers the bit rate.
  /// - Returns: The bytes of the packet; 0 when it needs not be sent, as there is silence and
  ///   transmission is discontinuous.
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
    // opus_encode(3): packets of one or two bytes need not be transmitted.
    return isDiscontinuous && count <= 2 ? 0 : count
  }

  /// Whether the next packets can be decoded without those before them, at the cost of quality.
  /// For one packet it lets a decoder of another stream change over to this one.
  public mutating func setIndependent(_ isIndependent: Bool) throws(OpusError) {
    _ = try OpusError.check(
      unsafe copus_encoder_set_prediction_disabled(handle, isIndependent ? 1 : 0))
  }

  /// Changes the bitrate from the next packet on. It is in bits per second, 500–512,000.
  public mutating func setBitrate(_ bitrate: Int) throws(OpusError) {
    _ = try OpusError.check(unsafe copus_encoder_set_bitrate(handle, Int32(clamping: bitrate)))
  }

  /// Changes the loss that packets are protected against, in per cent, 0–100.
  public mutating func setExpectedLoss(_ percent: Int) throws(OpusError) {
    _ = try OpusError.check(
      unsafe copus_encoder_set_expected_loss(handle, Int32(clamping: percent)))
  }

  /// Whether it may say nothing from the next packet on, while it takes what it hears for silence
  /// or for steady noise. Up to complexity 6 a steady tone is such a noise to it.
  public mutating func setDiscontinuous(_ isDiscontinuous: Bool) throws(OpusError) {
    guard isDiscontinuous != self.isDiscontinuous else { return }
    _ = try OpusError.check(unsafe copus_encoder_set_dtx(handle, isDiscontinuous ? 1 : 0))
    self.isDiscontinuous = isDiscontinuous
  }

  /// Forgets what was encoded; settings stay.
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
