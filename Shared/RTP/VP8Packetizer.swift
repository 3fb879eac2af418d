/// Splits VP8 frames into RTP payloads with picture ids and base layer indices.
public struct VP8Packetizer: Sendable {
  /// The maximum number of bytes of a payload, descriptor included.
  public let maximumPayloadBytes: Int

  private var pictureID: UInt16
  private var baseLayerIndex: UInt8
  private var buffer: [UInt8] = []

  /// - Parameters:
  ///   - maximumPayloadBytes: The maximum number of bytes of a payload; at least 16.
  ///   - pictureID: The picture id of the first frame. The packetizer uses only the low 15 bits of
  ///     this id.
  ///   - baseLayerIndex: The index before the first frame of the base layer.
  public init(
    maximumPayloadBytes: Int = 1_200, pictureID: UInt16 = 0, baseLayerIndex: UInt8 = 0
  ) {
    precondition(maximumPayloadBytes >= 16, "A payload has room for at least 16 bytes.")
    self.maximumPayloadBytes = maximumPayloadBytes
    self.pictureID = pictureID & 0x7FFF
    self.baseLayerIndex = baseLayerIndex
  }

  /// Emits the payloads of a frame, in order and with about equal lengths.
  ///
  /// - Parameters:
  ///   - frame: The encoded frame; an empty frame has no payloads.
  ///   - temporalLayer: The temporal layer, 0–3.
  ///   - isLayerSync: Whether the frame refers only to the base layer.
  ///   - isDiscardable: Whether no other frame refers to this frame.
  ///   - emit: Receives each payload, and whether the payload is the last payload. The next payload
  ///     overwrites the bytes. The packet of the last payload gets the marker bit.
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
