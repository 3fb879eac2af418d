/// The picture size from H.264 sequence parameters (ITU-T H.264, section 7.3.2.1.1).
public struct H264SequenceParameters: Hashable, Sendable {
  /// The displayed width in pixels.
  public let width: Int

  /// The displayed height in pixels.
  public let height: Int

  /// Parses a unit.
  ///
  /// - Parameter unit: A NAL unit without start code.
  /// - Returns: `nil` if the unit is not a set of sequence parameters, is truncated, or describes a
  ///   larger picture than any level allows.
  public init?(_ unit: Span<UInt8>) {
    guard unit.count > 4, H264NALUnitType.kind(unit[0]) == H264NALUnitType.sequenceParameters else {
      return nil
    }
    var reader = BitReader(from: 4)
    guard reader.unsigned(unit) != nil,
      let chroma = Self.readFormat(&reader, unit, profile: unit[1]),
      Self.skipOrder(&reader, unit),
      reader.unsigned(unit) != nil, reader.bit(unit) != nil,
      let columns = reader.unsigned(unit), let rows = reader.unsigned(unit),
      let isProgressive = reader.bit(unit),
      columns < Self.maximumMacroblocks, rows < Self.maximumMacroblocks
    else { return nil }
    if isProgressive == 0 {
      guard reader.bit(unit) != nil else { return nil }
    }
    guard reader.bit(unit) != nil, let isCropped = reader.bit(unit) else { return nil }
    let fieldFactor = 2 - Int(isProgressive)
    let full = (width: (Int(columns) + 1) * 16, height: (Int(rows) + 1) * 16 * fieldFactor)
    guard isCropped == 1 else {
      (width, height) = full
      return
    }
    guard let left = reader.unsigned(unit), let right = reader.unsigned(unit),
      let top = reader.unsigned(unit), let bottom = reader.unsigned(unit)
    else { return nil }
    let unitX = chroma == 1 || chroma == 2 ? 2 : 1
    let unitY = (chroma == 1 ? 2 : 1) * fieldFactor
    width = full.width - unitX * (Int(left) + Int(right))
    height = full.height - unitY * (Int(top) + Int(bottom))
    guard width > 0, height > 0 else { return nil }
  }

  /// The largest width and height of level 6.2, in macroblocks.
  private static let maximumMacroblocks: UInt32 = 1_056

  /// The profiles whose parameters contain a chroma format.
  private static let profilesWithFormat: Set<UInt8> = [
    100, 110, 122, 244, 44, 83, 86, 118, 128, 138, 139, 134, 135,
  ]

  /// Reads the format of the samples.
  ///
  /// - Returns: The chroma format: 0 for grey, 1 for 4:2:0, 2 for 4:2:2, 3 for 4:4:4. This type
  ///   regards separate planes as grey.
  private static func readFormat(
    _ reader: inout BitReader, _ unit: Span<UInt8>, profile: UInt8
  ) -> UInt32? {
    guard profilesWithFormat.contains(profile) else { return 1 }
    guard let format = reader.unsigned(unit), format <= 3 else { return nil }
    var planesAreSeparate: UInt32? = 0
    if format == 3 { planesAreSeparate = reader.bit(unit) }
    guard let planesAreSeparate, reader.unsigned(unit) != nil, reader.unsigned(unit) != nil,
      reader.bit(unit) != nil, let hasScaling = reader.bit(unit)
    else { return nil }
    if hasScaling == 1 {
      for list in 0..<(format == 3 ? 12 : 8) {
        guard let isPresent = reader.bit(unit) else { return nil }
        if isPresent == 1, !skipScaling(&reader, unit, count: list < 6 ? 16 : 64) { return nil }
      }
    }
    return planesAreSeparate == 1 ? 0 : format
  }

  private static func skipScaling(
    _ reader: inout BitReader, _ unit: Span<UInt8>, count: Int
  ) -> Bool {
    var (last, next): (Int32, Int32) = (8, 8)
    for _ in 0..<count {
      if next != 0 {
        guard let delta = reader.signed(unit) else { return false }
        next = (last &+ delta) & 0xff
      }
      last = next == 0 ? last : next
    }
    return true
  }

  /// Skips the parameters of the display order.
  private static func skipOrder(_ reader: inout BitReader, _ unit: Span<UInt8>) -> Bool {
    guard reader.unsigned(unit) != nil, let kind = reader.unsigned(unit) else { return false }
    switch kind {
    case 0:
      return reader.unsigned(unit) != nil
    case 1:
      guard reader.bit(unit) != nil, reader.signed(unit) != nil, reader.signed(unit) != nil,
        let count = reader.unsigned(unit), count <= 255
      else { return false }
      for _ in 0..<count where reader.signed(unit) == nil { return false }
      return true
    case 2:
      return true
    default:
      return false
    }
  }
}
