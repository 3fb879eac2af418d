/// The RTP packets of a VP8 camera (RFC 7741), each with 1,200 bytes.
struct VideoPacketGenerator {
  /// The payload type of VP8, in packets and in offers.
  static let payloadType: UInt8 = 96

  static let packetBytes = 1_200

  private let ssrc: UInt32
  private var sequence: UInt16 = 0
  private var timestamp: UInt32 = 0
  private var picture: UInt16 = 0

  /// The increment of the timestamp between frames, at 30 frames per second.
  private static let ticks: UInt32 = 3_000

  init(ssrc: UInt32) { self.ssrc = ssrc }

  /// Returns the packets of the next frame.
  mutating func next(of count: Int, isKey: Bool) -> [[UInt8]] {
    timestamp &+= Self.ticks
    picture = (picture &+ 1) & 0x7FFF
    return (0..<count).map { packet($0, isFirst: $0 == 0, isLast: $0 == count - 1, isKey) }
  }

  private mutating func packet(
    _ number: Int, isFirst: Bool, isLast: Bool, _ isKey: Bool
  ) -> [UInt8] {
    sequence &+= 1
    var packet: [UInt8] = [0x80, (isLast ? 0x80 : 0) | Self.payloadType]
    packet.reserveCapacity(Self.packetBytes + 32)
    packet += [UInt8(sequence >> 8), UInt8(truncatingIfNeeded: sequence)]
    for word in [timestamp, ssrc] {
      packet += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) }
    }
    // The payload descriptor has a picture id with 15 bits.
    packet += [
      0x80 | (isFirst ? 0x10 : 0), 0x80, 0x80 | UInt8(picture >> 8),
      UInt8(truncatingIfNeeded: picture),
    ]
    // A key frame begins with its size, 640 by 360.
    if isFirst { packet += isKey ? [0x10, 0, 0, 0x9D, 1, 0x2A, 0x80, 2, 0x68, 1] : [0x11] }
    packet += [UInt8](repeating: 0, count: Self.packetBytes - packet.count)
    return packet
  }
}
