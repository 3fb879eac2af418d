import RTP
import TestSupport

/// An H.264 stream of generated frames, and its packets.
struct H264TestStream {
  struct SentFrame {
    let bytes: [UInt8]
    let isKeyFrame: Bool
    let timestamp: UInt32
    let packets: [[UInt8]]
  }

  private(set) var frames: [SentFrame] = []
  private(set) var sequence = SequenceNumber(65_400)
  private var random: SeededGenerator
  private var packetizer = H264Packetizer(maximumPayloadBytes: 300)
  private let ssrc: UInt32

  /// Sequence parameters for 640 × 360, and picture parameters, with start codes.
  static let parameters: [UInt8] =
    [0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1E, 0xDA, 0x02, 0x80, 0xBF, 0xE5, 0x80]
    + [0, 0, 0, 1, 0x68, 0xCE, 0x3C, 0x80]

  /// Sequence parameters of the same id for 1920 × 1080, and picture parameters, with start codes.
  static let largeParameters: [UInt8] =
    [
      0, 0, 0, 1, 0x67, 0x64, 0x00, 0x28, 0xAC, 0xD9, 0x40, 0x78, 0x02, 0x27, 0xE5, 0xC0, 0x44,
      0x00, 0x00, 0x03, 0x00, 0x04, 0x00, 0x00, 0x03, 0x00, 0xF0, 0x3C, 0x60, 0xC6, 0x58,
    ] + [0, 0, 0, 1, 0x68, 0xCE, 0x3C, 0x80]

  init(seed: UInt64, ssrc: UInt32 = 201) {
    random = SeededGenerator(seed: seed)
    self.ssrc = ssrc
  }

  /// Adds a frame of one slice, and returns the frame's packets.
  ///
  /// - Parameter parameters: The units before the slice of a key frame.
  @discardableResult
  mutating func add(
    isKeyFrame: Bool, parameters: [UInt8] = Self.parameters, size: Int = 700
  ) -> [[UInt8]] {
    // The bytes contain no zeros, so they contain no start code.
    let slice = [isKeyFrame ? 0x65 : 0x41, 0x80] + random.bytes(size).map { $0 | 1 }
    return add((isKeyFrame ? parameters : []) + [0, 0, 0, 1] + slice, isKeyFrame: isKeyFrame)
  }

  /// Adds a frame with these bytes, and returns the frame's packets.
  @discardableResult
  mutating func add(_ frame: [UInt8], isKeyFrame: Bool, rotation: Int = 0) -> [[UInt8]] {
    var packets: [[UInt8]] = []
    let timestamp = UInt32(truncatingIfNeeded: 0xFFFF_8000 + frames.count * 3_000)
    packetizer.packetize(frame.span) { payload, isLast in
      var packet: [UInt8] = []
      let header = OutgoingRTPHeader(
        payloadType: 102, sequence: sequence, timestamp: timestamp, ssrc: ssrc, isMarked: isLast)
      if rotation != 0, isLast {
        header.begin(in: &packet) { VideoOrientation(degrees: rotation).append(to: &$0) }
      } else {
        header.begin(in: &packet)
      }
      packet.append(copying: payload)
      packets.append(packet)
      sequence = sequence.advanced(by: 1)
    }
    frames.append(
      SentFrame(bytes: frame, isKeyFrame: isKeyFrame, timestamp: timestamp, packets: packets))
    return packets
  }
}
