import RTP

/// A simulated camera that sends VP9 in one stream, with spatial and temporal layers in
/// non-flexible mode, as browsers do.
///
/// The temporal layers of the pictures are 0, 2, 1, 2, and so on. Each picture refers to the
/// nearest earlier picture of a lower layer, or of its own layer if this layer is layer 0. Pictures
/// of the layers 0 and 1 are switching points.
struct VP9Publisher {
  static let temporalLayers: [UInt8] = [0, 2, 1, 2]

  let ssrc: UInt32
  var spatialLayers = 1
  var sequence = SequenceNumber(65_500)
  var pictureID: UInt16 = 32_700
  var baseLayerIndex: UInt8 = 250
  var needsKeyFrame = true
  private(set) var frameIndex = 0

  init(ssrc: UInt32) { self.ssrc = ssrc }

  /// Returns the packets of the next picture, two for each spatial layer.
  mutating func nextFrame() -> [[UInt8]] {
    defer {
      frameIndex += 1
      pictureID = (pictureID + 1) & 0x7FFF
    }
    if needsKeyFrame { frameIndex = (frameIndex + 3) / 4 * 4 }
    let layer = Self.temporalLayers[frameIndex % 4]
    if layer == 0 { baseLayerIndex &+= 1 }
    let isKey = needsKeyFrame
    needsKeyFrame = false
    return (0..<spatialLayers).flatMap { spatial in
      [true, false].map { isFirst in
        packet(layer, UInt8(spatial), isKey: isKey, isFirst: isFirst)
      }
    }
  }

  private mutating func packet(
    _ temporal: UInt8, _ spatial: UInt8, isKey: Bool, isFirst: Bool
  ) -> [UInt8] {
    let isMarked = !isFirst && Int(spatial) == spatialLayers - 1
    var packet: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: 98, sequence: sequence, timestamp: UInt32(frameIndex) &* 3_000, ssrc: ssrc,
      isMarked: isMarked
    ).begin(in: &packet)
    sequence = sequence.advanced(by: 1)
    packet.append(0xA0 | (isKey ? 0 : 0x40) | (isFirst ? 0x08 : 0x04))
    packet += [UInt8(0x80 | pictureID >> 8), UInt8(pictureID & 0xFF)]
    packet.append(temporal << 5 | (temporal < 2 ? 0x10 : 0) | spatial << 1 | (spatial > 0 ? 1 : 0))
    packet.append(baseLayerIndex)
    if isFirst {
      packet +=
        isKey && spatial == 0 ? [0x82, 0x49, 0x83, 0x42, 0x20, 0x27, 0xF0, 0x16, 0x70] : [0x86]
    }
    packet += [UInt8(frameIndex >> 8), UInt8(frameIndex & 0xFF), spatial]
    return packet + [UInt8](repeating: 7, count: 200)
  }
}

/// Packets of VP9 at a receiver.
struct VP9Viewing {
  /// A picture with its numbers, and the spatial layers that arrived whole.
  struct Picture: Hashable {
    let id: UInt16
    let temporalLayer: UInt8
    let baseLayerIndex: UInt8
    let timestamp: UInt32
    var layers: Set<UInt8> = []
    var isMarked = false
  }

  private(set) var pictures: [Picture] = []
  private(set) var packets: [RTPPacket] = []

  init(_ packets: [[UInt8]]) {
    for bytes in packets {
      guard let packet = RTPPacket(bytes.span), !packet.payload.isEmpty,
        let (descriptor, _) = VP9Descriptor.read(bytes.span.extracting(packet.payload))
      else { continue }
      self.packets.append(packet)
      if pictures.last?.timestamp != packet.timestamp {
        pictures.append(
          Picture(
            id: descriptor.pictureID?.value ?? 0, temporalLayer: descriptor.temporalLayer ?? 0,
            baseLayerIndex: descriptor.baseLayerIndex ?? 0, timestamp: packet.timestamp))
      }
      if descriptor.endsFrame {
        pictures[pictures.count - 1].layers.insert(descriptor.spatialLayer ?? 0)
      }
      if packet.isMarked { pictures[pictures.count - 1].isMarked = true }
    }
  }

  /// The steps from each packet to the next.
  var sequenceSteps: [Int] {
    zip(packets, packets.dropFirst()).map { $0.sequence.distance(to: $1.sequence) }
  }

  /// The steps from each picture id to the next.
  var pictureSteps: [UInt16] {
    zip(pictures, pictures.dropFirst()).map { ($1.id &- $0.id) & 0x7FFF }
  }
}
