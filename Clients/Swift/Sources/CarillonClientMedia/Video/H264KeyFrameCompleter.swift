internal import RTP

/// Adds the kept parameter sets of an H.264 stream to key frames that lack parameter sets.
///
/// A sender may send the sets only once, at the start of the stream. The frames are in the byte
/// stream format.
struct H264KeyFrameCompleter {
  private var sets = H264ParameterSets()

  /// The kind of the optional NAL unit that begins an access unit (ITU-T H.264, table 7-1).
  private static let delimiter: UInt8 = 9

  /// Drops the kept sets. The caller must call this method after a loss, because the lost packets
  /// may have contained newer sets.
  mutating func forget() { sets = H264ParameterSets() }

  /// Keeps the sets of a frame, and adds kept sets to a key frame that lacks sets.
  ///
  /// - Returns: Whether a decoder can decode the frame; `false` for a key frame whose sets are
  ///   unknown.
  mutating func complete(_ frame: inout [UInt8], isKeyFrame: Bool) -> Bool {
    var parts: H264KeyFrameParts = []
    var delimiterEnd = 0
    var reader = H264ByteStreamReader()
    while let range = reader.next(in: frame.span) {
      let unit = frame.span.extracting(range)
      parts.formUnion(H264Payload.keyFrameParts(unit))
      sets.take(unit)
      if H264NALUnitType.kind(unit[0]) == Self.delimiter, parts.isEmpty {
        delimiterEnd = range.upperBound
      }
    }
    guard isKeyFrame, !parts.isSuperset(of: .parameterSets) else { return true }
    guard let kept = sets.payload else { return false }
    // A delimiter must be the first unit of its access unit (ITU-T H.264, section 7.4.1.2.3).
    frame.insert(contentsOf: Self.byteStream(of: kept), at: delimiterEnd)
    return true
  }

  /// Returns the units of an aggregate with start codes.
  private static func byteStream(of aggregate: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    var reader = H264AggregateReader()
    while let unit = reader.next(in: aggregate.span) {
      bytes += [0, 0, 0, 1]
      bytes += aggregate[unit]
    }
    return bytes
  }
}
