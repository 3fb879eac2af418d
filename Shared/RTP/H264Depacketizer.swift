/// Reassembles H.264 NAL units into the byte stream format, one access unit at a time and in order.
struct H264Depacketizer: Sendable {
  private var isInFragment = false

  /// Adds a payload to a frame.
  ///
  /// - Returns: Whether the payload belongs to the frame.
  mutating func add(
    _ payload: Span<UInt8>, to frame: inout [UInt8], isFirst: Bool, _ details: inout VideoFrame
  ) -> Bool {
    if isFirst { isInFragment = false }
    guard let kind = H264Payload(payload) else { return false }
    switch kind {
    case .single:
      isInFragment = false
      append(payload, to: &frame, &details)
    case .aggregate:
      isInFragment = false
      var reader = H264AggregateReader()
      while let unit = reader.next(in: payload) {
        append(payload.extracting(unit), to: &frame, &details)
      }
      return !reader.isMalformed
    case .fragment(let header, isFirst: let startsUnit, let isLast):
      guard startsUnit != isInFragment else { return false }
      if startsUnit {
        Self.begin(&frame)
        frame.append(header)
        if H264NALUnitType.kind(header) == H264NALUnitType.keySlice { details.isKeyFrame = true }
      }
      isInFragment = !isLast
      frame.append(copying: payload.extracting(2..<payload.count))
    }
    return true
  }

  private func append(
    _ unit: Span<UInt8>, to frame: inout [UInt8], _ details: inout VideoFrame
  ) {
    switch H264NALUnitType.kind(unit[0]) {
    case H264NALUnitType.keySlice: details.isKeyFrame = true
    case H264NALUnitType.sequenceParameters:
      if let parameters = H264SequenceParameters(unit) {
        (details.width, details.height) = (parameters.width, parameters.height)
      }
    default: break
    }
    Self.begin(&frame)
    frame.append(copying: unit)
  }

  /// Appends a start code.
  private static func begin(_ frame: inout [UInt8]) {
    frame.append(networkOrder: UInt32(1))
  }
}
