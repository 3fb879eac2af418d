import RTP

/// A simulated camera that sends AV1 in one stream, with spatial layers, as browsers do.
///
/// Each picture has one frame for each spatial layer, and each frame has its own number in a
/// dependency descriptor. The descriptor of a key frame is long, because this descriptor describes
/// the layers.
struct AV1Publisher {
  let ssrc: UInt32
  var spatialLayers = 1
  var hasDescriptors = true
  var sequence = SequenceNumber(65_500)
  var frameNumber: UInt16 = 65_500
  var needsKeyFrame = true
  private(set) var pictures = 0

  init(ssrc: UInt32) { self.ssrc = ssrc }

  /// A sequence header of 640 × 360 without layers, and a sequence header of 1280 × 720 with three
  /// spatial and three temporal layers.
  private static let plain: [UInt8] = [
    0x08, 0x00, 0x00, 0x00, 0x2F, 0xF8, 0x13, 0xF8, 0x0B, 0x38, 0x00, 0x00, 0x40,
  ]
  private static let layered: [UInt8] = [
    0x08, 0x00, 0x17, 0x07, 0x2B, 0x81, 0x97, 0xFC, 0x13, 0xFC, 0x0B, 0x3C, 0x00, 0x00, 0x20,
  ]

  /// Returns the packets of the next picture: two fragments of an OBU for each spatial layer.
  mutating func nextFrame() -> [[UInt8]] {
    defer {
      pictures += 1
      needsKeyFrame = false
    }
    return (0..<spatialLayers).flatMap { spatial in
      defer { frameNumber &+= 1 }
      return [true, false].map { packet(spatial, isFirst: $0) }
    }
  }

  private mutating func packet(_ spatial: Int, isFirst: Bool) -> [UInt8] {
    let startsSequence = needsKeyFrame && spatial == 0 && isFirst
    let header = OutgoingRTPHeader(
      payloadType: 99, sequence: sequence, timestamp: UInt32(pictures) &* 3_000, ssrc: ssrc,
      isMarked: !isFirst && spatial == spatialLayers - 1)
    sequence = sequence.advanced(by: 1)
    var packet: [UInt8] = []
    if hasDescriptors {
      var block = HeaderExtensionBlock()
      let flags: UInt8 = (isFirst ? 0x80 : 0x40) | UInt8(spatial)
      let descriptor =
        [flags, UInt8(frameNumber >> 8), UInt8(frameNumber & 0xFF)]
        + [UInt8](repeating: 0x80, count: startsSequence ? 60 : 0)
      block.begin(HeaderExtensionBlock.Form(fitting: descriptor.count))
      block.append(DependencyDescriptor.id, descriptor.span)
      header.begin(in: &packet, block)
    } else {
      header.begin(in: &packet)
    }
    packet.append(startsSequence ? 0x68 : isFirst ? 0x50 : 0x90)
    if startsSequence {
      let sequenceHeader = spatialLayers > 1 ? Self.layered : Self.plain
      packet += [UInt8(sequenceHeader.count)] + sequenceHeader
    }
    if isFirst { packet.append(0x30) }
    return packet + [UInt8](repeating: UInt8(truncatingIfNeeded: pictures), count: 200)
  }
}

/// Packets of AV1 at a receiver.
struct AV1Viewing {
  private(set) var packets: [RTPPacket] = []
  private(set) var frameNumbers: [UInt16] = []
  private(set) var descriptorBytes: [Int] = []

  init(_ packets: [[UInt8]]) {
    for bytes in packets {
      guard let packet = RTPPacket(bytes.span), !packet.payload.isEmpty else { continue }
      self.packets.append(packet)
      guard let descriptor = DependencyDescriptor(of: packet, in: bytes.span) else { continue }
      frameNumbers.append(descriptor.frameNumber)
      descriptorBytes.append(descriptor.range.count)
    }
  }

  /// The number of whole pictures.
  var pictures: Int { packets.filter(\.isMarked).count }

  /// The steps from each packet to the next.
  var sequenceSteps: [Int] {
    zip(packets, packets.dropFirst()).map { $0.sequence.distance(to: $1.sequence) }
  }

  /// The steps from each frame number to the next.
  var frameSteps: [UInt16] { zip(frameNumbers, frameNumbers.dropFirst()).map { $1 &- $0 } }
}
