/// The RTP packets of a participant's sound.
enum AudioPacket {
  /// The payload type of Opus, in packets and in offers.
  static let payloadType: UInt8 = 111

  /// Returns a packet with 20 ms of sound.
  ///
  /// - Parameters:
  ///   - tick: A number that increases by one with each packet.
  ///   - level: The audio level, in −dBov (RFC 6464): 127 is silence.
  static func bytes(_ payload: [UInt8], tick: Int, level: UInt8, ssrc: UInt32) -> [UInt8] {
    var packet: [UInt8] = [0x90, payloadType]
    func append(_ value: UInt32, _ bytes: Int) {
      for shift in (0..<bytes).reversed() {
        packet.append(UInt8(truncatingIfNeeded: value >> (8 * UInt32(shift))))
      }
    }
    append(UInt32(tick & 0xffff), 2)
    append(UInt32(truncatingIfNeeded: tick * 960), 4)
    append(ssrc, 4)
    // The audio level is in a header extension with a one-byte header. The client does not mark
    // levels below -60 dB as speech.
    append(0xBEDE_0001, 4)
    packet += [0x10, (level < 60 ? 0x80 : 0) | level, 0, 0]
    return packet + payload
  }
}
