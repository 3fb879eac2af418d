/// The descriptor before the VP9 data of each packet (RFC 9628, section 4.2).
///
/// A *picture* has one frame for each spatial layer. All frames of a picture have the same
/// timestamp, the same picture id and the same temporal layer.
public struct VP9Descriptor: Hashable, Sendable {
  /// The number of the picture; it wraps.
  public private(set) var pictureID: PictureID?

  /// Whether the frame refers to earlier pictures.
  public private(set) var isInterPredicted = false

  /// Whether each packet lists the pictures that its frame refers to (flexible mode).
  public private(set) var isFlexible = false

  /// Whether the packet is the first packet of its frame. `endsFrame` says whether the packet is
  /// the last packet of its frame.
  public private(set) var startsFrame = false
  public private(set) var endsFrame = false

  /// The temporal layer, 0–7.
  public private(set) var temporalLayer: UInt8?

  /// Whether a receiver may switch to higher temporal layers after this picture. After this
  /// picture, no picture of a higher layer refers to a higher layer's picture from before this
  /// picture.
  public private(set) var isSwitchingPoint = false

  /// The spatial layer, 0–7.
  public private(set) var spatialLayer: UInt8?

  /// The number of the picture in the lowest temporal layer; it wraps. The field is absent in
  /// flexible mode.
  public private(set) var baseLayerIndex: UInt8?

  /// The size of the highest spatial layer, in pixels; `nil` unless the packet describes the sizes
  /// of all layers.
  public private(set) var size: Size?

  /// The size of a spatial layer, in pixels.
  public struct Size: Hashable, Sendable {
    public let width: Int
    public let height: Int
  }

  /// Whether the packet is the first of a picture that refers to no earlier picture.
  public var startsIntraPicture: Bool {
    startsFrame && !isInterPredicted && spatialLayer ?? 0 == 0
  }

  /// Parses the descriptor at the beginning of a payload.
  ///
  /// - Returns: The descriptor and its size in bytes; `nil` if the descriptor is truncated or no
  ///   data follows.
  public static func read(_ payload: Span<UInt8>) -> (descriptor: VP9Descriptor, byteCount: Int)? {
    guard payload.count > 0 else { return nil }
    let flags = payload[0]
    var descriptor = VP9Descriptor()
    descriptor.isInterPredicted = flags & 0x40 != 0
    descriptor.isFlexible = flags & 0x10 != 0
    descriptor.startsFrame = flags & 0x08 != 0
    descriptor.endsFrame = flags & 0x04 != 0
    var offset = 1
    if flags & 0x80 != 0 {
      guard let id = PictureID(payload, at: offset) else { return nil }
      descriptor.pictureID = id
      offset += id.byteCount
    }
    if flags & 0x20 != 0 {
      guard let end = descriptor.readLayers(payload, at: offset) else { return nil }
      offset = end
    }
    if descriptor.isFlexible, descriptor.isInterPredicted {
      guard let end = skipReferences(payload, at: offset) else { return nil }
      offset = end
    }
    if flags & 0x02 != 0 {
      guard let end = descriptor.readStructure(payload, at: offset) else { return nil }
      offset = end
    }
    guard offset < payload.count else { return nil }
    return (descriptor, offset)
  }

  /// Reads the indices of the layers, and the base layer index that follows them.
  private mutating func readLayers(_ payload: Span<UInt8>, at offset: Int) -> Int? {
    guard offset < payload.count else { return nil }
    temporalLayer = payload[offset] >> 5
    isSwitchingPoint = payload[offset] & 0x10 != 0
    spatialLayer = payload[offset] >> 1 & 0x07
    guard !isFlexible else { return offset + 1 }
    guard offset + 1 < payload.count else { return nil }
    baseLayerIndex = payload[offset + 1]
    return offset + 2
  }

  /// Returns the end of the list of references. The list has at most three entries.
  private static func skipReferences(_ payload: Span<UInt8>, at start: Int) -> Int? {
    for offset in start..<start + 3 {
      guard offset < payload.count else { return nil }
      if payload[offset] & 0x01 == 0 { return offset + 1 }
    }
    return nil
  }

  /// Reads the scalability structure: the sizes of the spatial layers, and the references of a
  /// group of pictures.
  private mutating func readStructure(_ payload: Span<UInt8>, at start: Int) -> Int? {
    guard start < payload.count else { return nil }
    let flags = payload[start]
    let layers = Int(flags >> 5) + 1
    var offset = start + 1
    if flags & 0x10 != 0 {
      guard offset + 4 * layers <= payload.count else { return nil }
      offset += 4 * layers
      size = Size(
        width: Int(payload.uint16(at: offset - 4)), height: Int(payload.uint16(at: offset - 2)))
    }
    guard flags & 0x08 != 0 else { return offset }
    guard offset < payload.count else { return nil }
    let pictures = payload[offset]
    offset += 1
    for _ in 0..<pictures {
      guard offset < payload.count else { return nil }
      offset += 1 + Int(payload[offset] >> 2 & 0x03)
    }
    return offset <= payload.count ? offset : nil
  }

  /// Overwrites the picture id and the base layer index of a packet in place.
  ///
  /// Skips a field that the packet lacks. A short picture id remains seven bits long. The
  /// references of a picture are differences of picture ids, so a sender may add the same number to
  /// all ids, but must not close the gaps between the ids.
  ///
  /// - Parameters:
  ///   - packet: The whole RTP packet that contains this descriptor.
  ///   - start: The offset of the packet's payload.
  public func patch(
    _ packet: inout MutableSpan<UInt8>, payloadAt start: Int, pictureID number: UInt16,
    baseLayerIndex index: UInt8
  ) {
    var offset = start + 1
    if let pictureID {
      pictureID.patch(&packet, at: offset, number: number)
      offset += pictureID.byteCount
    }
    if baseLayerIndex != nil { packet[offset + 1] = index }
  }
}
