import RTP

@testable import Media

/// The parts of a video packet that tests check.
struct RTPNumbers: Hashable, Sendable {
  let ssrc: UInt32
  let sequence: UInt16
  let timestamp: UInt32

  init?(_ bytes: [UInt8]) {
    guard let packet = RTPPacket(bytes.span) else { return nil }
    (ssrc, sequence) = (packet.ssrc, packet.sequence.rawValue)
    timestamp = packet.timestamp
  }
}

extension FrameLabel {
  /// Reads the label in the first packet of a frame; `nil` for any other packet.
  init?(packet bytes: [UInt8]) {
    guard let packet = RTPPacket(bytes.span),
      let (descriptor, count) = VP8Descriptor.read(bytes.span.extracting(packet.payload)),
      descriptor.startsFrame
    else { return nil }
    let data = Array(bytes[(packet.payload.lowerBound + count)...])
    guard data.count >= 14 else { return nil }
    self.init(data)
  }
}
