/// The descriptor before the VP8 data of each packet (RFC 7741, section 4.2).
public struct VP8Descriptor: Hashable, Sendable {
  /// Whether no other frame refers to this frame, so that a sender may drop this frame.
  public var isDiscardable = false

  /// Whether the packet begins a partition.
  public var startsPartition = false

  /// The index of the packet's partition, 0–7.
  public var partition: UInt8 = 0

  /// The number of the frame; it wraps.
  public var pictureID: PictureID?

  /// The number of the frame in the lowest temporal layer; it wraps.
  public var baseLayerIndex: UInt8?

  /// The temporal layer, 0–3.
  public var temporalLayer: UInt8?

  /// Whether the frame refers only to the lowest temporal layer, so that a receiver may switch to a
  /// higher layer at this frame.
  public var isLayerSync = false

  /// The number of the key frame that the frame depends on, 0–31.
  public var keyIndex: UInt8?

  /// The maximum number of bytes of a descriptor.
  public static let maximumBytes = 6

  /// Creates a descriptor of one byte, without optional fields.
  public init() {}

  /// Whether the packet is the first of its frame.
  public var startsFrame: Bool { startsPartition && partition == 0 }

  /// The size in bytes.
  public var byteCount: Int {
    var count = 1
    if hasExtension { count += 1 }
    count += pictureID?.byteCount ?? 0
    if baseLayerIndex != nil { count += 1 }
    if temporalLayer != nil || keyIndex != nil { count += 1 }
    return count
  }

  private var hasExtension: Bool {
    pictureID != nil || baseLayerIndex != nil || temporalLayer != nil || keyIndex != nil
  }
}

// MARK: Reading

extension VP8Descriptor {
  /// Parses the descriptor at the beginning of a payload.
  ///
  /// - Returns: The descriptor and its size in bytes; `nil` if the descriptor is truncated or no
  ///   data follows.
  public static func read(_ payload: Span<UInt8>) -> (descriptor: VP8Descriptor, byteCount: Int)? {
    guard payload.count > 0 else { return nil }
    var descriptor = VP8Descriptor()
    descriptor.isDiscardable = payload[0] & 0x20 != 0
    descriptor.startsPartition = payload[0] & 0x10 != 0
    descriptor.partition = payload[0] & 0x07
    var offset = 1
    if payload[0] & 0x80 != 0 {
      guard let end = descriptor.readExtension(payload) else { return nil }
      offset = end
    }
    guard offset < payload.count else { return nil }
    return (descriptor, offset)
  }

  /// Reads the optional fields.
  ///
  /// - Returns: The end of the descriptor; `nil` if the descriptor is truncated.
  private mutating func readExtension(_ payload: Span<UInt8>) -> Int? {
    guard payload.count > 1 else { return nil }
    let flags = payload[1]
    var offset = 2
    if flags & 0x80 != 0 {
      guard let id = PictureID(payload, at: offset) else { return nil }
      pictureID = id
      offset += id.byteCount
    }
    if flags & 0x40 != 0 {
      guard offset < payload.count else { return nil }
      baseLayerIndex = payload[offset]
      offset += 1
    }
    guard flags & 0x30 != 0 else { return offset }
    guard offset < payload.count else { return nil }
    if flags & 0x20 != 0 {
      temporalLayer = payload[offset] >> 6
      isLayerSync = payload[offset] & 0x20 != 0
    }
    if flags & 0x10 != 0 { keyIndex = payload[offset] & 0x1f }
    return offset + 1
  }
}

// MARK: Writing

extension VP8Descriptor {
  /// Appends the descriptor to a buffer, before the VP8 data.
  public func append(to buffer: inout [UInt8]) {
    buffer.append(
      (hasExtension ? 0x80 : 0) | (isDiscardable ? 0x20 : 0) | (startsPartition ? 0x10 : 0)
        | (partition & 0x07))
    guard hasExtension else { return }
    buffer.append(
      (pictureID == nil ? 0 : 0x80) | (baseLayerIndex == nil ? 0 : 0x40)
        | (temporalLayer == nil ? 0 : 0x20) | (keyIndex == nil ? 0 : 0x10))
    switch pictureID {
    case .short(let value): buffer.append(value & 0x7F)
    case .long(let value): buffer.append(networkOrder: 0x8000 | value)
    case nil: break
    }
    if let baseLayerIndex { buffer.append(baseLayerIndex) }
    if temporalLayer != nil || keyIndex != nil {
      buffer.append(
        (temporalLayer ?? 0) << 6 | (isLayerSync ? 0x20 : 0) | ((keyIndex ?? 0) & 0x1f))
    }
  }

  /// Overwrites the picture id and the base layer index of a packet in place.
  ///
  /// Skips a field that the packet lacks. A short picture id remains seven bits long.
  ///
  /// - Parameters:
  ///   - packet: The whole RTP packet that contains this descriptor.
  ///   - start: The offset of the packet's payload.
  public func patch(
    _ packet: inout MutableSpan<UInt8>, payloadAt start: Int, pictureID number: UInt16,
    baseLayerIndex index: UInt8
  ) {
    var offset = start + 2
    if let pictureID {
      pictureID.patch(&packet, at: offset, number: number)
      offset += pictureID.byteCount
    }
    if baseLayerIndex != nil { packet[offset] = index }
  }
}
