import MeetingModel
import RTP

/// A simulated camera that sends H.264 in one layer, as a common payloader does. The publisher
/// sends the parameter sets once, at the start.
///
/// The data of each frame contains the frame's number.
struct H264Publisher {
  static let parameterSets: [UInt8] = [
    0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1E, 0xDA, 0x02, 0x80, 0xBF, 0xE5, 0x80, 0, 0, 0, 1, 0x68, 0xCE,
    0x3C, 0x80,
  ]

  /// The parameter sets as one payload.
  static let aggregate: [UInt8] = [
    0x78, 0, 10, 0x67, 0x42, 0xC0, 0x1E, 0xDA, 0x02, 0x80, 0xBF, 0xE5, 0x80, 0, 4, 0x68, 0xCE, 0x3C,
    0x80,
  ]

  let ssrc: UInt32
  var sequence = SequenceNumber(65_500)
  private(set) var frameIndex = 0
  private var packetizer = H264Packetizer()
  var needsKeyFrame = true

  /// Whether each packet contains exactly one NAL unit, as in packetization mode 0.
  var usesSingleUnits = false

  /// The parameter sets that the publisher sends before the next key frame.
  var parameterSets = H264Publisher.parameterSets

  init(ssrc: UInt32) { self.ssrc = ssrc }

  /// Returns the packets of the next frame.
  mutating func nextFrame() -> [[UInt8]] {
    defer { frameIndex += 1 }
    var data: [UInt8] = needsKeyFrame ? parameterSets : []
    data += [0, 0, 0, 1, needsKeyFrame ? 0x65 : 0x41, 0x80]
    data += [UInt8(frameIndex >> 8), UInt8(frameIndex & 0xFF)]
    data += [UInt8](repeating: 9, count: usesSingleUnits ? 800 : 2_000)
    if needsKeyFrame { parameterSets = [] }
    needsKeyFrame = false
    guard !usesSingleUnits else { return singleUnits(of: data) }
    var payloads: [([UInt8], Bool)] = []
    packetizer.packetize(data.span) { payload, isLast in
      var copy: [UInt8] = []
      copy.append(copying: payload)
      payloads.append((copy, isLast))
    }
    return payloads.map { packet($0, isMarked: $1) }
  }

  /// Returns one packet for each NAL unit of a frame.
  private mutating func singleUnits(of frame: [UInt8]) -> [[UInt8]] {
    let units = frame.split(separator: [0, 0, 0, 1]).map(Array.init)
    return units.indices.map { packet(units[$0], isMarked: $0 == units.count - 1) }
  }

  /// Returns the next packet of the stream.
  mutating func packet(_ payload: [UInt8], isMarked: Bool = false) -> [UInt8] {
    var packet: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: 97, sequence: sequence, timestamp: UInt32(frameIndex) &* 3_000, ssrc: ssrc,
      isMarked: isMarked
    ).begin(in: &packet)
    sequence = sequence.advanced(by: 1)
    return packet + payload
  }
}

/// Reassembles the frames of ``H264Publisher`` as a viewer does.
struct H264Viewing {
  struct Frame: Hashable {
    let index: Int
    let isKey: Bool
    let hasParameterSets: Bool
  }

  private(set) var frames: [Frame] = []
  private(set) var packets: [RTPPacket] = []
  private var assembler = FrameAssembler(.h264)
  private var now = MonotonicTime(microseconds: 0)

  var lostPackets: Int { assembler.lostPackets }

  mutating func watch(_ packets: [[UInt8]]) {
    for bytes in packets {
      guard let packet = RTPPacket(bytes.span) else { continue }
      self.packets.append(packet)
      now = now.advanced(byUs: 5_000)
      assembler.insert(packet, bytes.span, at: now)
      while let frame = assembler.next(at: now) { take(frame) }
    }
  }

  private mutating func take(_ frame: VideoFrame) {
    let hasSets = assembler.data.starts(with: H264Publisher.parameterSets)
    let start = hasSets ? H264Publisher.parameterSets.count + 6 : 6
    frames.append(
      Frame(
        index: Int(assembler.data[start]) << 8 | Int(assembler.data[start + 1]),
        isKey: frame.isKeyFrame, hasParameterSets: hasSets))
  }
}
