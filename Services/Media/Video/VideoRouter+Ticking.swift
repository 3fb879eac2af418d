import RTP

// What time brings about.
extension VideoRouter {
  /// Call it every 10 to 50 ms: asks again for what is missing, repeats requests for key frames,
  /// sends reports once a second, and lets estimates move.
  mutating func tick(at now: MediaTime, send: Send) {
    let elapsed = tickedAt.map { now.microseconds(since: $0) } ?? 0
    tickedAt = now
    for source in sources.indices {
      for layer in sources[source].layers.indices {
        askAgain(source, layer, at: now, send: send)
      }
      requestKeyFrames(of: source, at: now, send: send)
    }
    for index in receivers.indices where receivers[index] != nil {
      advance(SessionKey(index), by: elapsed, at: now, send: send)
    }
    if let reportedAt, now.microseconds(since: reportedAt) < rules.reportInterval.wholeUs {
      return
    }
    reportedAt = now
    reportToPublishers(at: now, send: send)
    reportToReceivers(at: now, send: send)
  }

  private mutating func askAgain(
    _ source: Int, _ layer: Int, at now: MediaTime, send: Send
  ) {
    guard let publisher = sources[source].publisher, isUsed(source, layer + 1) else {
      // What nobody gets is not asked for.
      sources[source].layers[layer].losses.forgetMissing()
      sources[source].layers[layer].requests.cancel()
      return
    }
    let lost = sources[source].layers[layer].losses.takeDue(
      at: now, roundTrip: 0, into: &numbers)
    if lost > 0 { sources[source].layers[layer].requests.need(isFresh: false, at: now) }
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
      forwarders[$0].currentLayer == layer || forwarders[$0].awaited == layer
    }
  }

  private mutating func advance(
    _ receiver: SessionKey, by elapsed: Int64, at now: MediaTime, send: Send
  ) {
    let wantsMore =
      receivers[receiver.index]?.forwarders.contains { forwarders[$0].wantsMore } ?? false
    receivers[receiver.index]?.estimator.advance(to: now, wantsMore: wantsMore)
    var bytes =
      receivers[receiver.index]?.estimator.takePadding(over: elapsed, at: now) ?? 0
    guard bytes > 0 else { return }
    for place in receivers[receiver.index]?.forwarders.indices ?? 0..<0 {
      guard let index = receivers[receiver.index]?.forwarders[place] else { return }
      while bytes > 0, let video = forwarders[index].pad() {
        writePadding(video, of: forwarders[index].source)
        send(receiver, repeated.span)
        receivers[receiver.index]?.estimator.send(repeated.count, at: now)
        counters.padding += 1
        bytes -= repeated.count
      }
    }
  }

  // MARK: Reports

  private mutating func reportToPublishers(at now: MediaTime, send: Send) {
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

  /// One message for each receiver, with all streams that it gets.
  private mutating func reportToReceivers(at now: MediaTime, send: Send) {
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
      if !control.isEmpty { send(SessionKey(index), control.bytes.span) }
    }
  }

  // MARK: Telling others

  /// How all that a session publishes arrived since this was asked last. `nil`: it publishes
  /// nothing.
  mutating func takeUplink(of session: SessionKey, at now: MediaTime) -> VideoUplink? {
    var (sum, flowing) = (VideoUplink(), 0)
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

  /// Hands over the estimates that moved, and all once a second.
  mutating func takeDownlinkReports(
    at now: MediaTime, _ tell: (SessionKey, DownlinkReport) -> Void
  ) {
    for index in receivers.indices {
      guard let report = receivers[index]?.estimator.takeChange(at: now) else { continue }
      tell(SessionKey(index), report)
    }
  }

  /// Video-tiles has forgotten how the layers are.
  mutating func forgetReportedTracks() {
    for source in sources.indices {
      for layer in sources[source].layers.indices {
        sources[source].layers[layer].meter.forgetReported()
      }
    }
  }

  /// Hands over what changed of the layers: tile id, layer from 1, and how it is.
  mutating func takeTrackReports(
    at now: MediaTime, _ tell: (UInt32, Int, TrackMeter.State) -> Void
  ) {
    for source in sources.indices {
      for layer in sources[source].layers.indices {
        guard let state = sources[source].layers[layer].meter.takeChange(at: now) else { continue }
        tell(sources[source].description.tile, layer + 1, state)
      }
    }
  }

}
