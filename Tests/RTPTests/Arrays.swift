import RTP

// `#expect` does not accept spans, so these functions take arrays.
extension RTPPacket {
  init?(_ bytes: [UInt8]) { self.init(bytes.span) }

  static func isRTCP(_ bytes: [UInt8]) -> Bool { isRTCP(bytes.span) }

  func contributor(_ index: Int, in bytes: [UInt8]) -> UInt32 {
    contributor(index, in: bytes.span)
  }
}

extension AudioLevel {
  init?(of packet: RTPPacket, id: UInt8, in bytes: [UInt8]) {
    self.init(of: packet, id: id, in: bytes.span)
  }
}

extension ReportBlocks {
  func all(in bytes: [UInt8]) -> [ReportBlock] { (0..<count).map { block($0, in: bytes.span) } }
}

extension SSRCList {
  func all(in bytes: [UInt8]) -> [UInt32] { (0..<count).map { source($0, in: bytes.span) } }
}

extension NackList {
  func all(in bytes: [UInt8]) -> [UInt16] {
    var numbers: [UInt16] = []
    forEach(in: bytes.span) { numbers.append($0.rawValue) }
    return numbers
  }
}

extension RTCPReader {
  /// Returns all packets, and whether the bytes after these packets are malformed.
  static func all(in bytes: [UInt8]) -> (packets: [RTCPPacket], isMalformed: Bool) {
    var packets: [RTCPPacket] = []
    var reader = RTCPReader()
    while let packet = reader.next(in: bytes.span) { packets.append(packet) }
    return (packets, reader.isMalformed)
  }
}

extension VP8Descriptor {
  static func read(_ bytes: [UInt8]) -> (descriptor: VP8Descriptor, byteCount: Int)? {
    read(bytes.span)
  }
}

extension VP8FrameHeader {
  init?(_ bytes: [UInt8]) { self.init(bytes.span) }
}

extension VP9Descriptor {
  static func read(_ bytes: [UInt8]) -> (descriptor: VP9Descriptor, byteCount: Int)? {
    read(bytes.span)
  }
}

extension VP9FrameHeader {
  init?(_ bytes: [UInt8]) { self.init(bytes.span) }
}

extension AV1Payload {
  init?(_ bytes: [UInt8]) { self.init(bytes.span) }

  func sequenceHeader(in bytes: [UInt8]) -> AV1SequenceHeader? { sequenceHeader(in: bytes.span) }
}

extension AV1SequenceHeader {
  init?(_ bytes: [UInt8]) { self.init(bytes.span) }
}

extension H264SequenceParameters {
  init?(_ bytes: [UInt8]) { self.init(bytes.span) }
}

extension H264Payload {
  init?(_ bytes: [UInt8]) { self.init(bytes.span) }
}
