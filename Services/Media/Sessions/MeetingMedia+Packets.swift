import Bus
import MeetingModel
import RTP
import ServiceHost

// The way of a client's packet: to the sound, to those who watch, or to the figures.
extension MeetingMedia {
  /// A packet of a session.
  ///
  /// - Returns: What was in it.
  /// - Throws: Why it counts for nothing.
  func take(
    _ bytes: Span<UInt8>, from session: MediaSession, at now: MediaTime
  ) throws(DropReason) -> PacketKind {
    if RTPPacket.isRTCP(bytes) {
      try takeControl(bytes, from: session, at: now)
      return .rtcp
    }
    guard let packet = RTPPacket(bytes) else { throw .malformed }
    guard packet.ssrc == session.sendSSRC else {
      try takeVideo(bytes, packet, from: session, at: now)
      return .video
    }
    guard packet.payloadType == PayloadTypes.opus else { throw .payloadType }
    let level = AudioLevel(of: packet, id: PayloadTypes.audioLevelExtension, in: bytes)
    let payload = bytes.extracting(packet.payload)
    guard session.rights.mayBeHeard else {
      if session.rights.isFollowed {
        audio.follow(
          session.key, sequence: packet.sequence, timestamp: packet.timestamp, level: level,
          payload: payload, arrival: now)
      }
      throw .rights
    }
    session.streams.receive(packet, size: bytes.count, at: now)
    audio.receive(
      session.key, sequence: packet.sequence, timestamp: packet.timestamp, level: level,
      payload: payload, arrival: now)
    return .audio
  }

  private func takeVideo(
    _ bytes: Span<UInt8>, _ packet: RTPPacket, from session: MediaSession, at now: MediaTime
  ) throws(DropReason) {
    guard packet.payloadType != PayloadTypes.opus else { throw .ssrc }
    guard session.rights.maySendVideo else { throw .rights }
    let refusal = video.receive(bytes, from: session.key, at: now) { send($1, to: $0) }
    switch refusal {
    case nil, .repeated: break
    case .malformed, .tooLarge: throw .malformed
    case .unknownSource, .foreign: throw .ssrc
    case .wrongPayloadType: throw .payloadType
    }
  }

  /// RTCP: what concerns the audio streams is read here, all else by the router.
  private func takeControl(
    _ bytes: Span<UInt8>, from session: MediaSession, at now: MediaTime
  ) throws(DropReason) {
    let time = video.wallTime(at: now)
    var reader = RTCPReader()
    while let packet = reader.next(in: bytes) {
      switch packet {
      case .senderReport(let report, let reports):
        if report.ssrc == session.sendSSRC { session.streams.receive(report, at: now) }
        take(reports, in: bytes, from: session, at: time)
      case .receiverReport(_, let reports):
        take(reports, in: bytes, from: session, at: time)
      case .bye, .nack, .pictureLoss, .fullIntraRequest, .estimate, .congestionFeedback, .other:
        break
      }
    }
    let refusal = video.receive(bytes, from: session.key, at: now) { send($1, to: $0) }
    guard refusal == nil else { throw .malformed }
  }

  private func take(
    _ reports: ReportBlocks, in bytes: Span<UInt8>, from session: MediaSession, at time: NTPTime
  ) {
    for index in 0..<reports.count {
      let block = reports.block(index, in: bytes)
      if block.ssrc == session.streams.receiveSSRC { session.streams.receive(block, at: time) }
    }
  }

  /// An RTP or RTCP packet of the router leaves.
  func send(_ bytes: Span<UInt8>, to key: SessionKey) {
    guard let route = byKey[key.index]?.route else { return }
    packets.send(copying: bytes, to: route)
    metrics.sent[RTPPacket.isRTCP(bytes) ? .rtcp : .video].increment()
  }
}
