/// The newest parameter sets of an H.264 stream, for receivers that join after the start of the
/// stream.
///
/// A sender may send the sets only once, at the start of the stream, and every decoder needs the
/// sets. The type keeps the newest set of each id. The type drops a set larger than
/// ``maximumSetBytes``. The type also drops the oldest sets when all sets together exceed
/// ``maximumPayloadBytes``.
public struct H264ParameterSets: Sendable {
  private struct ParameterSet: Sendable {
    let kind: UInt8
    let id: UInt32
    let bytes: [UInt8]
  }

  /// The maximum number of bytes of a set. This type drops larger sets.
  public static let maximumSetBytes = 512

  /// The maximum number of bytes of ``payload``.
  ///
  /// Two sets of the largest size fit.
  public static let maximumPayloadBytes = 1_100

  /// The maximum number of sets to keep.
  static let maximumSets = 16

  /// The highest id of sequence parameters (ITU-T H.264, section 7.4.2.1.1).
  private static let highestSequenceID: UInt32 = 31

  /// The highest id of picture parameters (ITU-T H.264, section 7.4.2.2).
  private static let highestPictureID: UInt32 = 255

  /// The sets, oldest first.
  private var sets: [ParameterSet] = []

  /// All sets as one aggregate, sequence parameters first; `nil` while there are no sequence
  /// parameters or no picture parameters.
  ///
  /// The aggregate is a STAP-A (RFC 6184, section 5.7.1).
  public private(set) var payload: [UInt8]?

  /// Creates an empty collection.
  public init() {}

  /// Keeps the parameter sets that a payload contains completely. This method skips fragments.
  public mutating func take(_ payload: Span<UInt8>) {
    var isChanged = false
    H264Payload.forEachUnit(in: payload) { unit in
      if take(unit: unit) { isChanged = true }
      return true
    }
    if isChanged { writePayload() }
  }

  /// Keeps a unit if it is a parameter set.
  ///
  /// - Returns: Whether the unit is a new set.
  private mutating func take(unit: Span<UInt8>) -> Bool {
    let kind = H264NALUnitType.kind(unit[0])
    guard unit.count <= Self.maximumSetBytes, let id = Self.id(of: unit, kind) else { return false }
    let known = sets.firstIndex { $0.kind == kind && $0.id == id }
    if let known {
      guard !Self.areEqual(sets[known].bytes, unit) else { return false }
      sets.remove(at: known)
    }
    var bytes: [UInt8] = []
    bytes.append(copying: unit)
    sets.append(ParameterSet(kind: kind, id: id, bytes: bytes))
    while !fits { dropOldest() }
    return true
  }

  /// Returns the id of a parameter set; `nil` if the unit is truncated or is not a parameter set.
  private static func id(of unit: Span<UInt8>, _ kind: UInt8) -> UInt32? {
    switch kind {
    case H264NALUnitType.sequenceParameters:
      // The profile, the constraints and the level precede the id.
      readID(of: unit, at: 4, highest: highestSequenceID)
    case H264NALUnitType.pictureParameters:
      readID(of: unit, at: 1, highest: highestPictureID)
    default:
      nil
    }
  }

  private static func readID(of unit: Span<UInt8>, at offset: Int, highest: UInt32) -> UInt32? {
    var reader = BitReader(from: offset)
    return reader.unsigned(unit).flatMap { $0 <= highest ? $0 : nil }
  }

  private static func areEqual(_ bytes: [UInt8], _ unit: Span<UInt8>) -> Bool {
    bytes.count == unit.count && bytes.indices.allSatisfy { bytes[$0] == unit[$0] }
  }

  private var fits: Bool {
    sets.count <= Self.maximumSets
      && sets.reduce(1) { $0 + 2 + $1.bytes.count } <= Self.maximumPayloadBytes
  }

  /// Drops the oldest set of the kind that has more sets, so that at least one set of each kind
  /// remains.
  private mutating func dropOldest() {
    let sequences = sets.count { $0.kind == H264NALUnitType.sequenceParameters }
    let kind =
      sequences * 2 > sets.count
      ? H264NALUnitType.sequenceParameters : H264NALUnitType.pictureParameters
    if let oldest = sets.firstIndex(where: { $0.kind == kind }) { sets.remove(at: oldest) }
  }

  private mutating func writePayload() {
    let sequences = sets.filter { $0.kind == H264NALUnitType.sequenceParameters }
    let pictures = sets.filter { $0.kind == H264NALUnitType.pictureParameters }
    guard !sequences.isEmpty, !pictures.isEmpty else {
      payload = nil
      return
    }
    let all = sequences + pictures
    // The importance (NRI) of the aggregate is the highest importance of its units.
    let importance = all.map { $0.bytes[0] & 0x60 }.max() ?? 0
    payload = all.reduce(into: [importance | H264NALUnitType.aggregate]) { payload, set in
      payload.append(networkOrder: UInt16(set.bytes.count))
      payload += set.bytes
    }
  }
}
