/// The sequence header of an AV1 stream in the main profile (AV1 bitstream specification, section
/// 5.5).
public struct AV1SequenceHeader: Hashable, Sendable {
  /// The width of the highest spatial layer, in pixels.
  public let width: Int

  /// The height of the highest spatial layer, in pixels.
  public let height: Int

  /// The number of temporal layers, 1–8.
  public let temporalLayers: Int

  /// The number of spatial layers, 1–4.
  public let spatialLayers: Int

  /// Parses a sequence header.
  ///
  /// - Parameter unit: The whole OBU.
  /// - Returns: `nil` if the OBU is truncated, is not a sequence header, or does not have the main
  ///   profile.
  public init?(_ unit: Span<UInt8>) {
    guard let header = AV1UnitHeader(unit), header.kind == .sequenceHeader,
      let content = header.content(of: unit)
    else { return nil }
    let bytes = unit.extracting(content)
    var fields = Fields()
    // The first four bits are the profile (3 bits) and the flag of a stream that is a single still
    // picture.
    guard fields.number(3, bytes) == 0, fields.skip(1, bytes), let isReduced = fields.flag(bytes)
    else { return nil }
    let layers = isReduced ? (fields.skip(5, bytes) ? 0 : nil) : fields.operatingPoints(bytes)
    guard let layers, let widthBits = fields.number(4, bytes),
      let heightBits = fields.number(4, bytes),
      let width = fields.number(Int(widthBits) + 1, bytes),
      let height = fields.number(Int(heightBits) + 1, bytes)
    else { return nil }
    (self.width, self.height) = (Int(width) + 1, Int(height) + 1)
    // Each bit of `layers` stands for one layer: the lowest 8 bits for temporal layers, the next 4
    // bits for spatial layers. If no bit is set, the stream is not divided into layers.
    temporalLayers = max((layers & 0xFF).nonzeroBitCount, 1)
    spatialLayers = max((layers >> 8).nonzeroBitCount, 1)
  }

  /// The fields of a sequence header. Every read past the end returns `nil`.
  private struct Fields {
    private var reader = BitReader(from: 0, skipsEmulationPrevention: false)

    mutating func number(_ bits: Int, _ bytes: Span<UInt8>) -> UInt32? { reader.bits(bits, bytes) }

    mutating func flag(_ bytes: Span<UInt8>) -> Bool? { number(1, bytes).map { $0 == 1 } }

    /// Skips bits. Returns whether the fields contain all of these bits.
    mutating func skip(_ bits: Int, _ bytes: Span<UInt8>) -> Bool {
      var left = bits
      while left > 0 {
        guard number(min(left, 32), bytes) != nil else { return false }
        left -= 32
      }
      return true
    }

    /// Reads the fields up to the last operating point.
    ///
    /// - Returns: The layers of the first operating point, which has all layers.
    mutating func operatingPoints(_ bytes: Span<UInt8>) -> UInt32? {
      guard let hasTiming = flag(bytes) else { return nil }
      var delayBits: Int?
      if hasTiming {
        guard skipTiming(bytes), let hasDecoderModel = flag(bytes) else { return nil }
        if hasDecoderModel {
          guard let bits = number(5, bytes), skip(32 + 5 + 5, bytes) else { return nil }
          delayBits = Int(bits) + 1
        }
      }
      guard let hasDisplayDelay = flag(bytes), let count = number(5, bytes) else { return nil }
      var layers: UInt32?
      for _ in 0...count {
        guard let point = number(12, bytes), let level = number(5, bytes),
          level <= 7 || skip(1, bytes)
        else { return nil }
        layers = layers ?? point
        if let delayBits {
          guard let hasModel = flag(bytes), !hasModel || skip(2 * delayBits + 1, bytes) else {
            return nil
          }
        }
        if hasDisplayDelay {
          guard let hasDelay = flag(bytes), !hasDelay || skip(4, bytes) else { return nil }
        }
      }
      return layers
    }

    private mutating func skipTiming(_ bytes: Span<UInt8>) -> Bool {
      guard skip(64, bytes), let isEqual = flag(bytes) else { return false }
      return !isEqual || reader.unsigned(bytes) != nil
    }
  }
}
