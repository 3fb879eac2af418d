import MeetingModel
import RTP
import TestSupport

/// A generated video stream: its frames and their packets.
struct Stream {
  var packets: [[UInt8]] = []
  var frames: [(timestamp: UInt32, bytes: [UInt8], isKey: Bool)] = []
  private var sequence: SequenceNumber
  private var timestamp: UInt32
  private var vp8 = VP8Packetizer(pictureID: 32_760)
  private var h264 = H264Packetizer()
  private let codec: VideoCodec

  init(_ codec: VideoCodec, sequence: UInt16 = 65_500, timestamp: UInt32 = 0xFFFF_0000) {
    self.codec = codec
    self.sequence = SequenceNumber(sequence)
    self.timestamp = timestamp
  }

  /// Adds a frame of 640 × 360. An H.264 key frame contains parameters and one slice. Any other
  /// H.264 frame contains only a slice.
  mutating func addFrame(isKey: Bool, size: Int, using random: inout SeededGenerator) {
    let bytes: [UInt8]
    switch codec {
    case .vp8:
      let header: [UInt8] =
        isKey ? [0x10, 0, 0, 0x9D, 0x01, 0x2A, 0x80, 2, 0x68, 1] : [0x11, 0, 0]
      bytes = header + random.bytes(size)
    case .h264:
      bytes =
        (isKey ? Self.parameters : []) + [0, 0, 0, 1, isKey ? 0x65 : 0x41, 0x80]
        // The bytes contain no zeros, so they contain no start code.
        + random.bytes(size).map { $0 | 1 }
    case .vp9:
      let header: [UInt8] =
        isKey ? [0x82, 0x49, 0x83, 0x42, 0x20, 0x27, 0xF0, 0x16, 0x70] : [0x86]
      bytes = header + random.bytes(size)
    case .av1:
      bytes = Self.av1(isKey: isKey, random.bytes(size))
    }
    frames.append((timestamp, bytes, isKey))
    for (payload, isLast) in payloads(of: bytes, isKey: isKey) { add(payload, isLast) }
    timestamp &+= 3_000
  }

  /// Sequence parameters for 640 × 360, and picture parameters.
  static let parameters: [UInt8] =
    [0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1E, 0xDA, 0x02, 0x80, 0xBF, 0xE5, 0x80]
    + [0, 0, 0, 1, 0x68, 0xCE, 0x3C, 0x80]

  private mutating func payloads(of frame: [UInt8], isKey: Bool) -> [([UInt8], isLast: Bool)] {
    var payloads: [([UInt8], isLast: Bool)] = []
    func add(_ payload: Span<UInt8>, _ isLast: Bool) {
      var copy: [UInt8] = []
      copy.append(copying: payload)
      payloads.append((copy, isLast))
    }
    switch codec {
    case .vp8: vp8.packetize(frame.span, add)
    case .h264: h264.packetize(frame.span, add)
    case .vp9: payloads = Self.vp9(frame, picture: frames.count, isKey: isKey)
    case .av1: payloads = Self.av1(frame, isKey: isKey)
    }
    return payloads
  }

  /// A sequence header for 640 × 360, without its length.
  static let sequenceHeader: [UInt8] =
    [0x08, 0x00, 0x00, 0x00, 0x2F, 0xF8, 0x13, 0xF8, 0x0B, 0x38, 0x00, 0x00, 0x40]

  /// Returns a temporal unit with a frame whose data is shorter than 16 KiB.
  private static func av1(isKey: Bool, _ data: [UInt8]) -> [UInt8] {
    let header =
      isKey ? [sequenceHeader[0] | 2, UInt8(sequenceHeader.count - 1)] + sequenceHeader[1...] : []
    let length =
      data.count < 0x80
      ? [UInt8(data.count)] : [UInt8(data.count & 0x7F) | 0x80, UInt8(data.count >> 7)]
    return [0x12, 0] + header + [0x32] + length + data
  }

  /// Returns the payloads of a temporal unit, without lengths of OBUs.
  private static func av1(_ unit: [UInt8], isKey: Bool) -> [([UInt8], isLast: Bool)] {
    let start = isKey ? 2 + sequenceHeader.count + 1 : 2
    let lengthBytes = unit[start + 1] < 0x80 ? 1 : 2
    let frame = [0x30] + unit[(start + 1 + lengthBytes)...]
    return stride(from: 0, to: frame.count, by: 1_100).map { start in
      let isLast = start + 1_100 >= frame.count
      let begins = isKey && start == 0
      let header: UInt8 =
        (start > 0 ? 0x80 : 0) | (isLast ? 0 : 0x40) | (begins ? 0x28 : 0x10)
      let leading = begins ? [UInt8(sequenceHeader.count)] + sequenceHeader : []
      return ([header] + leading + frame[start..<min(start + 1_100, frame.count)], isLast)
    }
  }

  /// Returns the payloads of a VP9 frame, with a long picture id.
  private static func vp9(
    _ frame: [UInt8], picture: Int, isKey: Bool
  ) -> [([UInt8], isLast: Bool)] {
    stride(from: 0, to: frame.count, by: 1_100).map { start in
      let isLast = start + 1_100 >= frame.count
      let flags: UInt8 =
        0x80 | (isKey ? 0 : 0x40) | (start == 0 ? 0x08 : 0) | (isLast ? 0x04 : 0)
      let id = UInt16(truncatingIfNeeded: picture) | 0x8000
      let data = frame[start..<min(start + 1_100, frame.count)]
      return ([flags, UInt8(id >> 8), UInt8(id & 0xFF)] + data, isLast)
    }
  }

  private mutating func add(_ payload: [UInt8], _ isMarked: Bool) {
    var packet: [UInt8] = []
    OutgoingRTPHeader(
      payloadType: 96, sequence: sequence, timestamp: timestamp, ssrc: 1, isMarked: isMarked
    ).begin(in: &packet)
    packet += payload
    packets.append(packet)
    sequence = sequence.advanced(by: 1)
  }
}
