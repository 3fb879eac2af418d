import RTP

@testable import Media

/// What tests look at in a packet of video.
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
  /// What the first packet of a frame says; `nil` for any other one.
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
