import RTP

// Handles RTCP of receivers and publishers.
extension VideoRouter {
  /// Handles an RTCP packet of a session that publishes or receives video.
  ///
  /// Ignores the parts about the link itself: bandwidth estimates and acknowledgements.
  mutating func receive(
    _ packet: RTCPPacket, in bytes: Span<UInt8>, from session: SessionSlot, at now: MonotonicTime,
    send: Send
  ) {
    switch packet {
    case .senderReport(let report, let reports):
      receive(report, from: session, at: now)
      receive(reports, in: bytes, from: session, at: now)
    case .receiverReport(_, let reports):
      receive(reports, in: bytes, from: session, at: now)
    case .nack(let list):
      receive(list, in: bytes, from: session, at: now, send: send)
    case .pictureLoss(_, let media):
      needKeyFrame(media, for: session, at: now, send: send)
    case .fullIntraRequest(let list):
      for index in 0..<list.count {
        needKeyFrame(list.request(index, in: bytes).media, for: session, at: now, send: send)
      }
    case .estimate, .congestionFeedback, .transportFeedback, .bye, .other:
      break
    }
  }

  private mutating func receive(
    _ report: SenderReport, from session: SessionSlot, at now: MonotonicTime
  ) {
    guard let place = layerOfSSRC[report.ssrc], sources[place.source].publisher == session else {
      return
    }
    sources[place.source].layers[place.layer - 1].statistics.receive(report, at: now)
  }

  /// Returns the forwarder of the receiver's stream that has this SSRC.
  private func forwarder(of media: UInt32, for session: SessionSlot) -> Int? {
    guard receivers.indices.contains(session.index), let receiver = receivers[session.index] else {
      return nil
    }
    return receiver.forwarders.first { forwarders[$0].ssrc == media }
  }

  // MARK: Reports

  /// Combines all blocks of a report into one measurement of the receiver's link.
  private mutating func receive(
    _ reports: ReportBlocks, in bytes: Span<UInt8>, from session: SessionSlot, at now: MonotonicTime
  ) {
    var (expected, lost) = (Int64(0), Int64(0))
    var roundTrip: Int64?
    for index in 0..<reports.count {
      let block = reports.block(index, in: bytes)
      guard let forwarder = forwarder(of: block.ssrc, for: session) else { continue }
      let before = forwarders[forwarder].position.reported
      if let before {
        expected += Int64(Int32(bitPattern: block.highestSequence &- before.highest))
        lost += Int64(block.cumulativeLost) - Int64(before.lost)
      } else {
        // Without an earlier report, the router knows only the fraction of lost packets.
        expected += 256
        lost += Int64(block.fractionLost)
      }
      forwarders[forwarder].position.reported = (
        block.highestSequence, block.cumulativeLost, block.lastSenderReport
      )
      // Receivers' reports on a paused track repeat the track's last sender report. Such reports do
      // not measure the present delay.
      guard block.lastSenderReport != before?.senderReport else { continue }
      roundTrip = NTPTime.roundTrip(block, at: wallTime(at: now)) ?? roundTrip
    }
    guard expected > 0 else { return }
    links[session.index]?.report(
      lossFraction: Double(max(0, lost)) / Double(expected), roundTrip: roundTrip, at: now)
  }

  // MARK: Retransmissions

  /// Sends the requested packets again.
  ///
  /// If the router can no longer send a packet on which later pictures depend, the receiver needs a
  /// key frame. Not every receiver requests this key frame soon. For example, aiortc first waits
  /// until its buffer for 512 packets is full.
  private mutating func receive(
    _ list: NackList, in bytes: Span<UInt8>, from session: SessionSlot, at now: MonotonicTime,
    send: Send
  ) {
    guard let forwarder = forwarder(of: list.media, for: session) else { return }
    numbers.removeAll(keepingCapacity: true)
    list.forEach(in: bytes) { numbers.append($0) }
    var lacksKeyFrame = false
    for place in numbers.indices {
      switch resend(numbers[place], by: forwarder, to: session, at: now, send: send) {
      case .sent:
        counters.resent += 1
        count(\.retransmitted, of: session)
      case .refused:
        counters.unanswered += 1
      case .gone:
        counters.unanswered += 1
        lacksKeyFrame = lacksKeyFrame || forwarders[forwarder].needs(numbers[place])
      }
    }
    if lacksKeyFrame { needKeyFrame(by: forwarder, at: now, send: send) }
  }

  /// The outcome of a request for one packet.
  private enum Resending {
    case sent

    /// The router does not send the packet now, but a later request may succeed.
    case refused

    /// No later request can succeed.
    case gone
  }

  private mutating func resend(
    _ sequence: SequenceNumber, by index: Int, to session: SessionSlot, at now: MonotonicTime,
    send: Send
  ) -> Resending {
    guard let link = links[session.index] else { return .refused }
    let budget = link.estimator.bitsPerSecond / 800 * rules.resendPercent
    let used = receivers[session.index]?.resent.perSecond(at: now) ?? 0
    let interval = max(rules.resendInterval.wholeUs, link.estimator.roundTrip)
    guard used < budget else { return .refused }
    let answer = forwarders[index].resend(
      sequence, at: now, interval: interval, limit: rules.maximumResends)
    switch answer {
    case .refused: return .refused
    case .gone: return .gone
    case .found(let entry):
      guard copy(entry, of: index, at: now) else { return .gone }
    }
    send(session, repeated.span)
    receivers[session.index]?.resent.add(repeated.count, at: now)
    links[session.index]?.sendVideo(
      forwarders[index].ssrc, sequence, bytes: repeated.count, at: now)
    return .sent
  }

  /// Restores the bytes of a sent packet, and writes them into ``repeated``.
  private mutating func copy(
    _ entry: RetransmissionHistory.Entry, of index: Int, at now: MonotonicTime
  ) -> Bool {
    let source = forwarders[index].source
    let video = entry.video(ssrc: forwarders[index].ssrc)
    guard let type = payloadType(for: index) else { return false }
    guard entry.layer > 0 else {
      writePadding(video, payloadType: type)
      return true
    }
    let layer = Int(entry.layer)
    guard layer <= sources[source].layers.count,
      let packet = sources[source].layers[layer - 1].cache.copy(
        entry.number, into: &repeated, at: now)
    else { return false }
    guard entry.isParameterSets else {
      video.apply(to: &repeated, packet, payloadType: type)
      return true
    }
    guard let sets = packet.parameterSets else { return false }
    video.write(parameterSets: sets, payloadType: type, into: &repeated)
    return true
  }

  /// Writes a padding packet into ``repeated``.
  mutating func writePadding(_ video: ForwardedPacketHeader, payloadType: UInt8) {
    OutgoingRTPHeader(
      payloadType: payloadType,
      sequence: video.sequence, timestamp: video.timestamp, ssrc: video.ssrc
    ).begin(in: &repeated)
    repeated[0] |= 0x20
    for _ in 1..<Self.paddingBytes { repeated.append(0) }
    repeated.append(UInt8(Self.paddingBytes))
  }

  /// The maximum padding of one packet, in bytes.
  static let paddingBytes = 255

  // MARK: Key frames

  private mutating func needKeyFrame(
    _ media: UInt32, for session: SessionSlot, at now: MonotonicTime, send: Send
  ) {
    counters.keyFrameRequestsReceived += 1
    guard let index = forwarder(of: media, for: session), payloadType(for: index) != nil else {
      return
    }
    if !needKeyFrame(by: index, at: now, send: send) {
      repeatStart(by: index, to: session, at: now, send: send)
    }
  }

  /// Sends a receiver the start of a track again, once for each track.
  ///
  /// If the network loses the first packets of a track, no number shows the loss, so the receiver
  /// cannot request these packets. The receiver then requests a key frame, but the router may
  /// request a new key frame only a second after its last request. The limits of retransmissions
  /// apply. A receiver that acknowledges no packets gets nothing, because the router could not
  /// measure the effect on its link.
  private mutating func repeatStart(
    by index: Int, to session: SessionSlot, at now: MonotonicTime, send: Send
  ) {
    guard let link = links[session.index], link.isAcknowledged,
      let start = forwarders[index].takeStart(
        at: now, roundTrip: link.estimator.roundTrip, within: rules.cacheTime)
    else { return }
    for number in start {
      let sequence = SequenceNumber(UInt16(truncatingIfNeeded: number))
      guard resend(sequence, by: index, to: session, at: now, send: send) == .sent else { continue }
      counters.resent += 1
      count(\.retransmitted, of: session)
    }
  }

  /// Requests the key frame that a forwarder's receiver needs.
  ///
  /// - Returns: Whether the router has now sent a request for this key frame.
  @discardableResult
  private mutating func needKeyFrame(
    by index: Int, at now: MonotonicTime, send: Send
  ) -> Bool {
    let source = forwarders[index].source
    let layer = forwarders[index].awaited ?? forwarders[index].currentLayer
    guard layer > 0, layer <= sources[source].layers.count else { return false }
    forwarders[index].needParameterSets()
    let before = sources[source].layers[layer - 1].requests.count
    sources[source].layers[layer - 1].requests.need(forwarders[index].keyFrameNeed, at: now)
    requestKeyFrames(of: source, at: now, send: send)
    return sources[source].layers[layer - 1].requests.count > before
  }

  /// Requests from a source's publisher the key frames that the source's receivers need now.
  mutating func requestKeyFrames(of source: Int, at now: MonotonicTime, send: Send) {
    for place in sources[source].forwarders.indices {
      let index = sources[source].forwarders[place]
      guard let layer = forwarders[index].awaited, layer <= sources[source].layers.count,
        payloadType(for: index) != nil
      else { continue }
      sources[source].layers[layer - 1].requests.need(forwarders[index].keyFrameNeed, at: now)
    }
    guard let publisher = sources[source].publisher else { return }
    for layer in sources[source].layers.indices
    where sources[source].requestPace.allows(
      sources[source].layers[layer].requests.need, rules.keyFrames, at: now)
      && sources[source].layers[layer].requests.take(at: now)
    {
      sources[source].requestPace.noteRequest(at: now)
      control.clear()
      control.addPictureLoss(
        sender: sources[source].description.trackSSRC, media: sources[source].layers[layer].ssrc)
      send(publisher, control.bytes.span)
      counters.keyFrameRequests += 1
      count(\.keyFrameRequests, of: publisher)
    }
  }
}
