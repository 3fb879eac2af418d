/// Reassembles AV1 temporal units from payloads, one unit at a time and in order.
///
/// A temporal unit is in the low-overhead format (AV1 bitstream specification, section 5.2): it
/// begins with a temporal delimiter, and each OBU states its own length.
struct AV1Depacketizer: Sendable {
  /// The first bytes of an OBU whose remaining bytes have not arrived.
  private var fragment: [UInt8] = []
  private var isInFragment = false

  /// The bytes of a temporal delimiter: its header, and its length of 0.
  private static let delimiter: [UInt8] = [0x12, 0]

  /// Adds a payload to a temporal unit.
  ///
  /// - Parameter details: The properties of the unit. This method sets the properties when it adds
  ///   the unit's first payload.
  /// - Returns: Whether the payload belongs to the unit.
  mutating func add(
    _ payload: Span<UInt8>, to unit: inout [UInt8], isFirst: Bool, isLast: Bool,
    _ details: inout VideoFrame
  ) -> Bool {
    guard let layout = AV1Payload(payload) else { return false }
    if isFirst { begin(layout, payload, &unit, &details) }
    guard layout.continuesUnit == isInFragment, !(isLast && layout.continuesInNext) else {
      return false
    }
    var reader = AV1ElementReader(layout)
    var element = reader.next(in: payload)
    while let range = element {
      element = reader.next(in: payload)
      fragment.append(copying: payload.extracting(range))
      isInFragment = element == nil && layout.continuesInNext
      guard isInFragment || finish(&unit) else { return false }
    }
    return fragment.count <= FrameAssembler.maximumFrameBytes
  }

  private mutating func begin(
    _ layout: AV1Payload, _ payload: Span<UInt8>, _ unit: inout [UInt8], _ details: inout VideoFrame
  ) {
    fragment.removeAll(keepingCapacity: true)
    isInFragment = false
    unit += Self.delimiter
    guard let header = layout.sequenceHeader(in: payload) else { return }
    details.isKeyFrame = true
    (details.width, details.height) = (header.width, header.height)
  }

  /// Appends the OBU in ``fragment`` to a temporal unit, and inserts the OBU's length.
  ///
  /// - Returns: Whether the OBU has a valid header.
  private mutating func finish(_ unit: inout [UInt8]) -> Bool {
    defer { fragment.removeAll(keepingCapacity: true) }
    guard !fragment.isEmpty else { return true }
    let bytes = fragment.span
    guard let header = AV1UnitHeader(bytes), let content = header.content(of: bytes) else {
      return false
    }
    guard header.kind != .temporalDelimiter else { return true }
    unit.append(bytes[0] | 0x02)
    if header.byteCount == 2 { unit.append(bytes[1]) }
    AV1Length.append(content.count, to: &unit)
    unit.append(copying: bytes.extracting(content))
    return true
  }
}
