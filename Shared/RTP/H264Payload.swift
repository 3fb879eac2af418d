/// What an H.264 payload holds (RFC 6184, section 5.4).
///
/// Packetization modes 0 and 1: single units, aggregates (STAP-A) and fragments (FU-A). Others are
/// refused.
public enum H264Payload: Hashable, Sendable {
  /// One NAL unit, the whole payload.
  case single

  /// NAL units with two bytes of length before each, from the second byte on.
  case aggregate

  /// A part of a NAL unit, from the third byte on.
  case fragment(header: UInt8, isFirst: Bool, isLast: Bool)

  /// `nil`: cut off, or of another mode.
  public init?(_ payload: Span<UInt8>) {
    guard payload.count > 0 else { return nil }
    switch H264Unit.kind(payload[0]) {
    case 1...23:
      self = .single
    case H264Unit.aggregate:
      guard payload.count > 3 else { return nil }
      self = .aggregate
    case H264Unit.fragment:
      guard payload.count > 2 else { return nil }
      let (isFirst, isLast) = (payload[1] & 0x80 != 0, payload[1] & 0x40 != 0)
      // A unit that fits into one payload is not split.
      guard !(isFirst && isLast) else { return nil }
      self = .fragment(
        header: payload[0] & 0xe0 | payload[1] & 0x1f, isFirst: isFirst, isLast: isLast)
    default:
      return nil
    }
  }

  /// Whether a receiver can begin at this payload: it holds sequence parameters, or the beginning
  /// of a picture that refers to no other.
  public static func startsKeyFrame(_ payload: Span<UInt8>) -> Bool {
    switch H264Payload(payload) {
    case .single:
      return startsKeyFrame(
        kind: H264Unit.kind(payload[0]), body: payload.extracting(1..<payload.count))
    case .aggregate:
      var reader = H264AggregateReader()
      while let unit = reader.next(in: payload) {
        let body = payload.extracting(unit.lowerBound + 1..<unit.upperBound)
        if startsKeyFrame(kind: H264Unit.kind(payload[unit.lowerBound]), body: body) { return true }
      }
      return false
    case .fragment(let header, isFirst: true, _):
      return startsKeyFrame(
        kind: H264Unit.kind(header), body: payload.extracting(2..<payload.count))
    case .fragment, nil:
      return false
    }
  }

  private static func startsKeyFrame(kind: UInt8, body: Span<UInt8>) -> Bool {
    switch kind {
    case H264Unit.sequenceParameters: true
    // A slice header begins with the number of its first macroblock; a single bit stands for 0.
    case H264Unit.keySlice: body.count > 0 && body[0] & 0x80 != 0
    default: false
    }
  }

  /// The sequence parameters that a payload holds, if it holds them whole.
  public static func sequenceParameters(_ payload: Span<UInt8>) -> H264SequenceParameters? {
    switch H264Payload(payload) {
    case .single:
      return H264SequenceParameters(payload)
    case .aggregate:
      var reader = H264AggregateReader()
      while let unit = reader.next(in: payload) {
        if let found = H264SequenceParameters(payload.extracting(unit)) { return found }
      }
      return nil
    case .fragment, nil:
      return nil
    }
  }
}
