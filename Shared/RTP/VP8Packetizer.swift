/// Splits VP8 frames into RTP payloads, with picture ids and indices of the base layer.
public struct VP8Packetizer: Sendable {
  /// The most bytes of a payload, descriptor included.
  public let maximumPayloadBytes: Int

  private var pictureID: UInt16
  private var baseLayerIndex: UInt8
  private var buffer: [UInt8] = []

  /// - Parameters:
  ///   - maximumPayloadBytes: At least 16.
  ///   - pictureID: Of the first frame; 15 bits of it.
  ///   - baseLayerIndex: Of the frame before the first one of the base layer.
  public init(
    maximumPayloadBytes: Int = 1_200, pictureID: UInt16 = 0, baseLayerIndex: UInt8 = 0
  ) {
    precondition(maximumPayloadBytes >= 16, "A payload has room for at least 16 bytes.")
    self.maximumPayloadBytes = maximumPayloadBytes
    self.pictureID = pictureID & 0x7FFF
    self.baseLayerIndex = baseLayerIndex
  }

  /// Hands over the payloads of a frame, in order and about equally long.
  ///
  /// - Parameters:
  ///   - frame: As the encoder made it. An empty one has no payloads.
  ///   - temporalLayer: 0–3.
  ///   - isLayerSync: It refers to the base layer alone.
  ///   - isDiscardable: No frame refers to it.
  ///   - emit: Gets each payload, which is overwritten afterwards, and whether it is the last one:
  ///     that packet is marked.
  public mutating func packetize<E: Error>(
    _ frame: Span<UInt8>, temporalLayer: UInt8 = 0, isLayerSync: Bool = false,
    isDiscardable: Bool = false, _ emit: (Span<UInt8>, Bool) throws(E) -> Void
  ) throws(E) {
    guard frame.count > 0 else { return }
    if temporalLayer == 0 { baseLayerIndex &+= 1 }
    var descriptor = VP8Descriptor()
    descriptor.isDiscardable = isDiscardable
    descriptor.pictureID = .long(pictureID)
    descriptor.baseLayerIndex = baseLayerIndex
    descriptor.temporalLayer = temporalLayer & 0x03
    descriptor.isLayerSync = isLayerSync
    pictureID = (pictureID + 1) & 0x7FFF
    let room = maximumPayloadBytes - descriptor.byteCount
    let pieces = (frame.count + room - 1) / room
    for piece in 0..<pieces {
      let start = frame.count * piece / pieces
      let end = frame.count * (piece + 1) / pieces
      descriptor.startsPartition = piece == 0
      buffer.removeAll(keepingCapacity: true)
      descriptor.append(to: &buffer)
      buffer.append(copying: frame.extracting(start..<end))
      try emit(buffer.span, piece == pieces - 1)
    }
  }
}
