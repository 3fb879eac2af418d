/// The structure of an H.264 payload (RFC 6184, section 5.4).
///
/// Packetization modes 0 and 1 are supported: single units, aggregates (STAP-A) and fragments
/// (FU-A).
public enum H264Payload: Hashable, Sendable {
  /// One NAL unit, which is the whole payload.
  case single

  /// Several NAL units. Two bytes with the length precede each unit. The first unit starts at the
  /// second byte.
  case aggregate

  /// A part of a NAL unit. The part starts at the payload's third byte.
  case fragment(header: UInt8, isFirst: Bool, isLast: Bool)

  /// Parses a payload; returns `nil` if the payload is truncated or belongs to another
  /// packetization mode.
  public init?(_ payload: Span<UInt8>) {
    guard payload.count > 0 else { return nil }
    switch H264NALUnitType.kind(payload[0]) {
    case 1...23:
      self = .single
    case H264NALUnitType.aggregate:
      guard payload.count > 3 else { return nil }
      self = .aggregate
    case H264NALUnitType.fragment:
      guard payload.count > 2 else { return nil }
      let (isFirst, isLast) = (payload[1] & 0x80 != 0, payload[1] & 0x40 != 0)
      // RFC 6184 (section 5.8) forbids a fragment that is both first and last.
      guard !(isFirst && isLast) else { return nil }
      self = .fragment(
        header: payload[0] & 0xe0 | payload[1] & 0x1f, isFirst: isFirst, isLast: isLast)
    default:
      return nil
    }
  }

  /// Returns whether a receiver can begin at this payload.
  ///
  /// The payload must contain sequence parameters, or the start of a picture that refers to no
  /// other picture.
  public static func startsKeyFrame(_ payload: Span<UInt8>) -> Bool {
    !keyFrameParts(payload).isDisjoint(with: [.sequenceParameters, .keySlice])
  }

  /// Returns the parts of a key frame that a payload contains completely, or whose first fragment
  /// the payload contains.
  ///
  /// This type does not parse the parameter sets, so the sets may be invalid.
  public static func keyFrameParts(_ payload: Span<UInt8>) -> H264KeyFrameParts {
    if case .fragment(let header, isFirst: true, _) = H264Payload(payload) {
      return part(kind: H264NALUnitType.kind(header), body: payload.extracting(2..<payload.count))
    }
    var parts: H264KeyFrameParts = []
    forEachUnit(in: payload) { unit in
      parts.formUnion(
        part(kind: H264NALUnitType.kind(unit[0]), body: unit.extracting(1..<unit.count)))
      return true
    }
    return parts
  }

  private static func part(kind: UInt8, body: Span<UInt8>) -> H264KeyFrameParts {
    switch kind {
    case H264NALUnitType.sequenceParameters: .sequenceParameters
    case H264NALUnitType.pictureParameters: .pictureParameters
    // A slice header starts with the number of the slice's first macroblock. A single 1 bit encodes
    // the number 0.
    case H264NALUnitType.keySlice: body.count > 0 && body[0] & 0x80 != 0 ? .keySlice : []
    default: []
    }
  }

  /// Returns the sequence parameters that a payload contains completely.
  public static func sequenceParameters(_ payload: Span<UInt8>) -> H264SequenceParameters? {
    var found: H264SequenceParameters?
    forEachUnit(in: payload) { unit in
      found = H264SequenceParameters(unit)
      return found == nil
    }
    return found
  }

  /// Iterates in order over the NAL units that a payload contains completely. A fragment contains
  /// no complete unit.
  ///
  /// - Parameter body: Receives each unit, which is never empty, and returns whether to continue.
  static func forEachUnit(in payload: Span<UInt8>, _ body: (Span<UInt8>) -> Bool) {
    switch H264Payload(payload) {
    case .single:
      _ = body(payload)
    case .aggregate:
      var reader = H264AggregateReader()
      while let unit = reader.next(in: payload) {
        guard body(payload.extracting(unit)) else { return }
      }
    case .fragment, nil:
      break
    }
  }
}
