import MeetingModel
import RTP
import ServiceHost

// Passes each packet of a client to the audio mix, to the video router or to the statistics.
extension MeetingMedia {
  /// Handles a packet that a session sent.
  ///
  /// - Returns: The kind of the packet; `nil` while the packet waits for a decision. The meeting
  ///   counts a waiting packet later.
  /// - Throws: The reason to drop the packet.
  func take(
    _ bytes: Span<UInt8>, from session: MediaServerSession, at now: MonotonicTime
  ) throws(DropReason) -> PacketContentKind? {
    if RTPPacket.isRTCP(bytes) {
      try takeControl(bytes, from: session, at: now)
      return .rtcp
    }
    guard let packet = RTPPacket(bytes) else { throw .malformed }
    let numbers = session.downlink.numbers
    let format = numbers.format(of: packet.payloadType)
    guard packet.ssrc == session.sendSSRC else {
      return try takeVideo(bytes, packet, format, from: session, at: now)
    }
    let redundant = try Self.redundant(packet, format, numbers, in: bytes)
    let level = Self.level(of: packet, id: numbers.audioLevel, in: bytes)
    let payload = bytes.extracting(redundant?.payload ?? packet.payload)
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
    if let redundant { takeCopies(of: redundant, packet, in: bytes, from: session, at: now) }
    return .audio
  }

  /// Returns the blocks of a redundant audio packet; `nil` for a packet without copies.
  private static func redundant(
    _ packet: RTPPacket, _ format: LinkRTPParameters.Format?, _ numbers: LinkRTPParameters,
    in bytes: Span<UInt8>
  ) throws(DropReason) -> RedundantAudio? {
    switch format {
    case .opus: return nil
    case .redundantOpus: break
    case .video, nil: throw .payloadType
    }
    guard let audio = RedundantAudio(packet.payload, in: bytes) else { throw .malformed }
    guard audio.payloadType == numbers.opus else { throw .payloadType }
    return audio
  }

  /// Recovers lost packets from copies in later packets.
  ///
  /// Reports still count these packets as lost, because a sender chooses the number of copies by
  /// the loss in the reports that it receives.
  private func takeCopies(
    of audio: RedundantAudio, _ packet: RTPPacket, in bytes: Span<UInt8>,
    from session: MediaServerSession, at now: MonotonicTime
  ) {
    for index in 0..<audio.count {
      let copy = audio.copy(index, in: bytes)
      guard copy.payloadType == audio.payloadType else { continue }
      self.audio.receiveCopy(
        session.key, offset: copy.timestampOffset, before: packet.sequence, packet.timestamp,
        payload: bytes.extracting(copy.payload), arrival: now)
    }
  }

  /// Returns the audio level in a packet's header extension.
  ///
  /// - Parameter id: The id of the extension; `nil` if the link does not use it.
  private static func level(
    of packet: RTPPacket, id: UInt8?, in bytes: Span<UInt8>
  ) -> AudioLevel? {
    guard let id else { return nil }
    return AudioLevel(of: packet, id: id, in: bytes)
  }

  private func takeVideo(
    _ bytes: Span<UInt8>, _ packet: RTPPacket, _ format: LinkRTPParameters.Format?,
    from session: MediaServerSession, at now: MonotonicTime
  ) throws(DropReason) -> PacketContentKind? {
    var codec: VideoCodec?
    switch format {
    case .opus, .redundantOpus: throw .ssrc
    case .video(let known): codec = known
    case nil: break
    }
    guard session.rights.maySendVideo else { throw .rights }
    let refusal = video.receive(packet, codec, in: bytes, from: session.key, at: now) {
      send($1, to: $0)
    }
    note(packet, from: session, refusedFor: refusal, at: now)
    if let reason = refusal.flatMap({ DropReason($0) }) { throw reason }
    return refusal == .early ? nil : .video
  }

  // MARK: Video that no decision admits yet

  /// Processes the packets that waited until a decision admitted them.
  func takeEarlyVideo(at now: MonotonicTime) {
    for (early, refusal) in video.takeEarly(at: now, send: { send($1, to: $0) }) {
      if let session = session(early.session) {
        note(early.packet, from: session, refusedFor: refusal, at: early.arrival)
      }
      if let reason = refusal.flatMap({ DropReason($0) }) {
        refuse(reason, from: early.session)
      } else {
        metrics.received[.video].increment()
      }
    }
  }

  /// Drops the packets that no decision admitted in time.
  func refuseLateVideo(at now: MonotonicTime) {
    for (key, refusal) in video.refuseLate(at: now) {
      if let reason = DropReason(refusal) { refuse(reason, from: key) }
    }
  }

  private func refuse(_ reason: DropReason, from key: SessionSlot) {
    session(key)?.refusedPackets += 1
    metrics.dropped[reason].increment()
  }

  /// Drops the packets that wait for a decision.
  ///
  /// - Parameter key: The session that sent the packets; `nil` for all sessions.
  func dropEarlyVideo(from key: SessionSlot? = nil, for reason: DropReason) {
    let count = video.early.drop(from: key)
    if count > 0 { metrics.dropped[reason].increment(by: UInt64(count)) }
  }

  // MARK: RTCP

  /// Handles a compound RTCP packet.
  ///
  /// If a part is malformed, the parts before it are still valid.
  private func takeControl(
    _ bytes: Span<UInt8>, from session: MediaServerSession, at now: MonotonicTime
  ) throws(DropReason) {
    var reader = RTCPReader()
    while let packet = reader.next(in: bytes) {
      takeAudioReports(packet, in: bytes, from: session, at: now)
      takeLinkReports(packet, in: bytes, from: session, at: now)
      video.receive(packet, in: bytes, from: session.key, at: now) { send($1, to: $0) }
    }
    guard !reader.isMalformed else { throw .malformed }
  }

  private func takeAudioReports(
    _ packet: RTCPPacket, in bytes: Span<UInt8>, from session: MediaServerSession,
    at now: MonotonicTime
  ) {
    switch packet {
    case .senderReport(let report, let reports):
      if report.ssrc == session.sendSSRC { session.streams.receive(report, at: now) }
      take(reports, in: bytes, from: session, at: video.wallTime(at: now))
    case .receiverReport(_, let reports):
      take(reports, in: bytes, from: session, at: video.wallTime(at: now))
    case .bye, .nack, .pictureLoss, .fullIntraRequest, .estimate, .congestionFeedback,
      .transportFeedback, .other:
      break
    }
  }

  private func take(
    _ reports: ReportBlocks, in bytes: Span<UInt8>, from session: MediaServerSession,
    at time: NTPTime
  ) {
    for index in 0..<reports.count {
      let block = reports.block(index, in: bytes)
      guard block.ssrc == session.streams.receiveSSRC else { continue }
      session.streams.receive(block, at: time)
      audio.setExpectedLoss(of: session.key, session.streams.expectedLoss)
    }
  }

  /// Applies the feedback that a client sends about its link. Sends waiting video if the link has
  /// room.
  private func takeLinkReports(
    _ packet: RTCPPacket, in bytes: Span<UInt8>, from session: MediaServerSession,
    at now: MonotonicTime
  ) {
    switch packet {
    case .estimate(let bits, _): session.downlink.limit(to: bits)
    case .congestionFeedback(let feedback):
      guard session.link?.acknowledgement == .congestionFeedback else { return }
      session.downlink.receive(
        feedback, in: bytes, isBacklogged: video.isBacklogged(session.key), at: now)
      video.sendWaiting(to: session.key, at: now) { send($1, to: $0) }
    case .transportFeedback(let feedback):
      guard session.link?.acknowledgement == .transportFeedback else { return }
      session.downlink.receive(
        feedback, in: bytes, isBacklogged: video.isBacklogged(session.key), at: now)
      video.sendWaiting(to: session.key, at: now) { send($1, to: $0) }
    case .senderReport, .receiverReport, .bye, .nack, .pictureLoss, .fullIntraRequest, .other:
      break
    }
  }

  // MARK: Feedback on the packets of clients

  /// Records the arrival of a packet that belongs to a known layer, even if the router refuses the
  /// packet.
  private func note(
    _ packet: RTPPacket, from session: MediaServerSession, refusedFor refusal: VideoRefusal?,
    at now: MonotonicTime
  ) {
    switch refusal {
    case nil, .repeated, .malformed: session.arrivals.receive(packet.ssrc, packet.sequence, at: now)
    case .early, .tooLarge, .unknownSource, .foreign, .wrongPayloadType: break
    }
  }

  /// Sends each client the feedback on its packets, in the format of the client's link.
  func acknowledge(at now: MonotonicTime) {
    if let acknowledgedAt, now - acknowledgedAt < rules.video.feedbackInterval { return }
    acknowledgedAt = now
    for session in sessions {
      guard let link = session.link, writeFeedback(to: session, over: link, at: now) else {
        continue
      }
      link.send(control.bytes.span)
      metrics.sent[.rtcp].increment()
    }
  }

  /// - Returns: Whether there is feedback to send.
  private func writeFeedback(
    to session: MediaServerSession, over link: any PacketLink, at now: MonotonicTime
  ) -> Bool {
    control.clear()
    switch link.acknowledgement {
    case .congestionFeedback:
      guard session.arrivals.freshPackets > 0 else { return false }
      session.arrivals.takeFeedback(
        sender: 0, at: now, within: rules.maxPacketBytes, into: &control)
      return true
    case .transportFeedback:
      return link.takeFeedback(within: rules.maxPacketBytes, into: &control)
    case nil: return false
    }
  }

  // MARK: Sending

  /// Sends an RTP or RTCP packet of the router to a session.
  func send(_ bytes: Span<UInt8>, to key: SessionSlot) {
    guard let link = byKey[key.index]?.link else { return }
    link.send(bytes)
    metrics.sent[RTPPacket.isRTCP(bytes) ? .rtcp : .video].increment()
  }
}

extension DropReason {
  /// Converts a refusal of the router to a drop reason; returns `nil` if the router did not drop
  /// the packet, or if the packet is a repeat.
  init?(_ refusal: VideoRefusal) {
    switch refusal {
    case .early, .repeated: return nil
    case .malformed, .tooLarge: self = .malformed
    case .unknownSource, .foreign: self = .ssrc
    case .wrongPayloadType: self = .payloadType
    }
  }
}
