import MeetingModel
import RTP

extension FuzzInput {
  /// Splits bytes into packets, and assembles frames from these packets.
  ///
  /// Each packet begins with four bytes: the length of the payload, the step of the sequence
  /// number, the step of the timestamp, and the marker. The payload follows.
  static func assemble(_ bytes: [UInt8], _ codec: VideoCodec) {
    var assembler = FrameAssembler(codec, capacity: 8, timeout: .milliseconds(5))
    var header = OutgoingRTPHeader(
      payloadType: 96, sequence: SequenceNumber(65_530), timestamp: 0, ssrc: 1)
    var packet: [UInt8] = []
    var offset = 0
    var now = MonotonicTime(microseconds: 0)
    while offset + 4 <= bytes.count {
      let end = min(offset + 4 + Int(bytes[offset]), bytes.count)
      header.sequence = header.sequence.advanced(by: Int(Int8(bitPattern: bytes[offset + 1])))
      header.timestamp &+= UInt32(bytes[offset + 2] & 0x03)
      header.isMarked = bytes[offset + 3] & 1 == 1
      header.begin(in: &packet)
      packet += bytes[offset + 4..<end]
      offset = end
      now = now.advanced(byUs: 1_000)
      guard let parsed = RTPPacket(packet.span) else {
        fatalError("Broken: a packet that was written can be read")
      }
      assembler.insert(parsed, packet.span, at: now)
      while let frame = assembler.next(at: now) {
        require(!assembler.data.isEmpty && frame.width >= 0, "a frame has data")
      }
    }
  }
}
