import RTP

// Does the periodic work of a router.
extension VideoRouter {
  /// Repeats NACKs and key frame requests, sends reports once a second, and updates the estimates.
  ///
  /// The caller calls this method every 10 to 50 ms.
  mutating func tick(at now: MonotonicTime, send: Send) {
    for source in sources.indices {
      for layer in sources[source].layers.indices {
        askAgain(source, layer, at: now, send: send)
      }
      requestKeyFrames(of: source, at: now, send: send)
    }
    // Listeners without video need no work here.
    if isForwarding {
      for index in receivers.indices where receivers[index]?.forwarders.isEmpty == false {
        advance(SessionSlot(index), at: now, send: send)
      }
    }
    if let reportedAt, now.microseconds(since: reportedAt) < rules.reportInterval.wholeUs {
      return
    }
    reportedAt = now
    reportToPublishers(at: now, send: send)
    reportToReceivers(at: now, send: send)
  }

  private mutating func askAgain(
    _ source: Int, _ layer: Int, at now: MonotonicTime, send: Send
  ) {
    guard let publisher = sources[source].publisher, isUsed(source, layer + 1) else {
      // The router does not request lost packets of a layer that no receiver uses.
      sources[source].layers[layer].losses.forgetMissing()
      sources[source].layers[layer].requests.cancel()
      return
    }
    let lost = sources[source].layers[layer].losses.takeDue(
      at: now, roundTrip: 0, into: &numbers)
    if lost > 0 { sources[source].layers[layer].requests.need(.again, at: now) }
    guard !numbers.isEmpty else { return }
    let missing = numbers
    control.clear()
    control.addNack(
      sender: sources[source].description.trackSSRC, media: sources[source].layers[layer].ssrc,
      missing: missing.span)
    send(publisher, control.bytes.span)
    counters.asked += UInt64(numbers.count)
  }

  private func isUsed(_ source: Int, _ layer: Int) -> Bool {
    sources[source].forwarders.contains {
      forwarders[$0].currentLayer == layer || forwarders[$0].tailLayer == layer
        || forwarders[$0].awaited == layer
    }
  }

  private mutating func advance(_ receiver: SessionSlot, at now: MonotonicTime, send: Send) {
    guard let state = receivers[receiver.index], let link = links[receiver.index] else { return }
    let isBacklogged = !state.waiting.isEmpty
    let demand = LinkDemand(
      goal: goal(of: state.forwarders, at: now, receiver), isBacklogged: isBacklogged,
      bytesInFlight: link.bytesInFlight)
    link.advance(to: now, demand)
    if isBacklogged {
      sendWaiting(to: receiver, at: now, send: send)
      leaveOut(of: receiver, at: now)
    }
    if state.forwarders.contains(where: { forwarders[$0].backlog.isHeld }) {
      release(of: receiver, at: now, send: send)
    }
    guard receivers[receiver.index]?.waiting.isEmpty == true else { return }
    pad(receiver, at: now, send: send)
  }

  /// Returns the bitrate that a receiver would get if its link had unlimited capacity, in bit/s.
  ///
  /// The sum omits sources that the receiver cannot decode, because the router never sends them. So
  /// the router does not probe the link of a receiver that can decode no source.
  private mutating func goal(
    of forwarders: [Int], at now: MonotonicTime, _ receiver: SessionSlot
  ) -> Int {
    var sum = 0
    for index in forwarders where payloadType(for: index) != nil {
      if self.forwarders[index].wantsMore { return .max }
      if self.forwarders[index].wanted != 0 { sum += self.forwarders[index].counted }
    }
    guard sum > 0 else { return 0 }
    // A key frame has more bits than the mean frame, so the result is higher than the sum of the
    // bitrates.
    return sum * 5 / 4 + (links[receiver.index]?.audioBitsPerSecond(at: now) ?? 0)
  }

  private mutating func pad(_ receiver: SessionSlot, at now: MonotonicTime, send: Send) {
    guard let state = receivers[receiver.index], let link = links[receiver.index] else { return }
    var bytes = link.takePadding(at: now)
    guard bytes > 0 else { return }
    guard !link.isAcknowledged else {
      while bytes > 0, let type = link.numbers.padding, let video = nextPadding(for: receiver) {
        writePadding(video, payloadType: type)
        sendPadding(video, to: receiver, at: now, send: send)
        bytes -= repeated.count
      }
      return
    }
    for index in state.forwarders {
      while bytes > 0, let type = payloadType(for: index), let video = forwarders[index].pad() {
        writePadding(video, payloadType: type)
        sendPadding(video, to: receiver, at: now, send: send)
        bytes -= repeated.count
      }
    }
  }

  /// Returns the header values of the next packet in a receiver's padding stream.
  private mutating func nextPadding(for receiver: SessionSlot) -> ForwardedPacketHeader? {
    guard let state = receivers[receiver.index] else { return nil }
    receivers[receiver.index]?.paddingSequence = state.paddingSequence.advanced(by: 1)
    return ForwardedPacketHeader(
      sequence: state.paddingSequence, timestamp: 0, ssrc: state.paddingSSRC)
  }

  private mutating func sendPadding(
    _ video: ForwardedPacketHeader, to receiver: SessionSlot, at now: MonotonicTime, send: Send
  ) {
    send(receiver, repeated.span)
    links[receiver.index]?.sendVideo(
      video.ssrc, video.sequence, bytes: repeated.count, at: now)
    counters.padding += 1
  }

  // MARK: Reports

  private mutating func reportToPublishers(at now: MonotonicTime, send: Send) {
    for source in sources.indices {
      guard let publisher = sources[source].publisher else { continue }
      blocks.removeAll(keepingCapacity: true)
      for layer in sources[source].layers.indices
      where sources[source].layers[layer].statistics.received > 0 {
        let ssrc = sources[source].layers[layer].ssrc
        blocks.append(
          sources[source].layers[layer].statistics.takeReport(ssrc: ssrc, at: now))
      }
      guard !blocks.isEmpty else { continue }
      let reports = blocks
      control.clear()
      control.addReceiverReport(
        sender: sources[source].description.trackSSRC, reports: reports.span)
      send(publisher, control.bytes.span)
    }
  }

  /// Sends each receiver one message with the reports on all its streams.
  private mutating func reportToReceivers(at now: MonotonicTime, send: Send) {
    let time = wallTime(at: now)
    let noReports: [ReportBlock] = []
    for index in receivers.indices {
      guard let receiver = receivers[index] else { continue }
      control.clear()
      for forwarder in receiver.forwarders {
        guard let report = forwarders[forwarder].report(at: now, time: time),
          control.bytes.count + 28 <= rules.maximumPacketBytes
        else { continue }
        control.addSenderReport(report, reports: noReports.span)
      }
      if !control.isEmpty { send(SessionSlot(index), control.bytes.span) }
    }
  }

  // MARK: Measurements for others

  /// Returns the reception statistics of a session's video since the last call; `nil` if the
  /// session publishes nothing.
  mutating func takeUplink(of session: SessionSlot, at now: MonotonicTime) -> VideoUplinkStatistics?
  {
    var (sum, flowing) = (VideoUplinkStatistics(), 0)
    var publishes = false
    for source in sources.indices where sources[source].publisher == session {
      publishes = true
      for layer in sources[source].layers.indices {
        let uplink = sources[source].layers[layer].takeUplink(at: now)
        sum.packets += uplink.packets
        sum.lost += uplink.lost
        sum.jitterUs = max(sum.jitterUs, uplink.jitterUs)
        sum.bitsPerSecond += uplink.bitsPerSecond
        sum.framesPerSecond += uplink.framesPerSecond
        if uplink.framesPerSecond > 0 { flowing += 1 }
      }
    }
    sum.framesPerSecond /= max(flowing, 1)
    return publishes ? sum : nil
  }

  /// Returns the layers of a session's video from which packets arrived within the last second.
  mutating func sentLayers(of session: SessionSlot, at now: MonotonicTime) -> [SentLayerRate] {
    var rates: [SentLayerRate] = []
    for source in sources.indices where sources[source].publisher == session {
      for layer in sources[source].layers.indices {
        let bits = sources[source].layers[layer].meter.state(at: now).bitsPerSecond
        guard bits > 0 else { continue }
        rates.append(
          SentLayerRate(
            tile: sources[source].description.tile, layer: layer + 1, bitsPerSecond: bits))
      }
    }
    return rates
  }

  /// Reports changed estimates immediately, and all estimates once a second.
  mutating func takeDownlinkReports(
    at now: MonotonicTime, _ tell: (SessionSlot, DownlinkReport) -> Void
  ) {
    for index in receivers.indices {
      guard let state = receivers[index] else { continue }
      let starved = tiles(of: state) { $0.backlog.isStarved(at: now) }
      let stalled = tiles(of: state) { isStalled($0, at: now) }
      guard
        let report = links[index]?.takeChange(
          waiting: state.waiting.bytes, starved: starved, stalled: stalled, at: now)
      else { continue }
      tell(SessionSlot(index), report)
    }
  }

  private func tiles(
    of receiver: VideoReceivingSession, where isSo: (LayerForwarder) -> Bool
  ) -> [UInt32] {
    var tiles: [UInt32] = []
    for index in receiver.forwarders where isSo(forwarders[index]) {
      tiles.append(sources[forwarders[index].source].description.tile)
    }
    return tiles.sorted()
  }

  /// Returns whether a wanted tile has stalled while the tile's publisher sends video.
  ///
  /// A tile has stalled if the router sent no frame of the tile for
  /// ``VideoForwardingParameters/stallTime``, or if the receiver acknowledged nothing for this
  /// time.
  private func isStalled(_ forwarder: LayerForwarder, at now: MonotonicTime) -> Bool {
    guard forwarder.wanted != 0,
      forwarder.backlog.rests(for: rules.stallTime, at: now)
        || links[forwarder.receiver.index]?.isSilent(for: rules.stallTime, at: now) == true
    else { return false }
    return sources[forwarder.source].layers.contains { $0.meter.isFlowing(at: now) }
  }

  /// Returns whether a session receives video.
  func isForwarding(to receiver: SessionSlot) -> Bool {
    self.receiver(receiver)?.forwarders.isEmpty == false
  }

  /// Returns whether a receiver gets the video of a publisher, or would get the video over a faster
  /// link.
  func wants(_ receiver: SessionSlot, from publisher: SessionSlot) -> Bool {
    guard let state = self.receiver(receiver) else { return false }
    return state.forwarders.contains { index in
      let forwarder = forwarders[index]
      return sources[forwarder.source].publisher == publisher
        && (forwarder.wanted != 0 || forwarder.wantsMore)
    }
  }

  /// Returns the track of a publisher's video, and the SSRC of the video's highest flowing layer;
  /// `nil` if no layer flows.
  func publishedSource(
    of publisher: SessionSlot, at now: MonotonicTime
  ) -> (track: UInt32, layer: UInt32)? {
    for source in sources where source.publisher == publisher {
      guard let layer = source.layers.last(where: { $0.meter.isFlowing(at: now) }) else { continue }
      return (source.description.trackSSRC, layer.ssrc)
    }
    return nil
  }

  /// Returns whether video waits for room on the link of a session.
  func isBacklogged(_ receiver: SessionSlot) -> Bool {
    self.receiver(receiver)?.waiting.isEmpty == false
  }

  /// Returns the state of a session as a receiver; `nil` if it receives no video.
  private func receiver(_ key: SessionSlot) -> VideoReceivingSession? {
    receivers.indices.contains(key.index) ? receivers[key.index] : nil
  }

  /// Forgets the reported states of the layers, because `video-tiles` has lost them.
  mutating func forgetReportedTracks() {
    for source in sources.indices {
      for layer in sources[source].layers.indices {
        sources[source].layers[layer].meter.forgetReported()
      }
    }
  }

  /// Reports the layers whose state has changed: the tile's id, the layer from 1, and the state.
  mutating func takeTrackReports(
    at now: MonotonicTime, _ tell: (UInt32, Int, LayerMeter.State) -> Void
  ) {
    for source in sources.indices where mayReport(source, at: now) {
      for layer in sources[source].layers.indices {
        guard let state = sources[source].layers[layer].meter.takeChange(at: now) else { continue }
        tell(sources[source].description.tile, layer + 1, state)
      }
    }
  }

  /// Returns whether to report the layers of a source.
  ///
  /// The router does not report a source that has existed for less than a second, and whose first
  /// packet has not arrived. With such a report, `video-tiles` would stop the source for all
  /// receivers. The first key frame, which often follows within milliseconds, would then reach no
  /// receiver, and the publisher sends the next key frame only a second later.
  private mutating func mayReport(_ source: Int, at now: MonotonicTime) -> Bool {
    if sources[source].layers.contains(where: \.meter.hasReceived) { return true }
    let since = sources[source].awaitedSince ?? now
    sources[source].awaitedSince = since
    return now.microseconds(since: since) >= 1_000_000
  }

}
