import MeetingModel
import RTP

// Packets of publishers.
extension VideoRouter {
  /// A packet came from a session: RTP of what it publishes, or RTCP.
  ///
  /// - Returns: Why it counts for nothing; `nil` otherwise.
  @discardableResult
  mutating func receive(
    _ bytes: Span<UInt8>, from session: SessionKey, at now: MediaTime, send: Send
  ) -> VideoRefusal? {
    if RTPPacket.isRTCP(bytes) {
      let isWhole = receiveControl(bytes, from: session, at: now, send: send)
      return isWhole ? nil : .malformed
    }
    let refusal = receiveMedia(bytes, from: session, at: now, send: send)
    if let refusal { counters.refuse(refusal) } else { counters.received += 1 }
    return refusal
  }

  private mutating func receiveMedia(
    _ bytes: Span<UInt8>, from session: SessionKey, at now: MediaTime, send: Send
  ) -> VideoRefusal? {
    guard bytes.count <= rules.maximumPacketBytes else { return .tooLarge }
    guard let packet = RTPPacket(bytes) else { return .malformed }
    guard let (source, layer) = layerOfSSRC[packet.ssrc].map({ ($0.source, $0.layer) }) else {
      return .unknownSource
    }
    guard sources[source].publisher == session else { return .foreign }
    let codec = sources[source].description.codec
    guard packet.payloadType == rules.payloadType(of: codec) else { return .wrongPayloadType }
    note(packet, from: session, at: now)
    switch sources[source].layers[layer - 1].receive(bytes, packet, codec, at: now) {
    case .refused(let reason):
      return reason
    case .useless(let number):
      for index in sources[source].forwarders { forwarders[index].leaveOut(number, of: layer) }
      return packet.payload.isEmpty ? nil : .malformed
    case .taken(let video, let restarts):
      if restarts {
        for index in sources[source].forwarders { forwarders[index].restart(layer) }
      }
      outgoing.replaceAll(copying: bytes)
      forward(video, payloadBytes: packet.payload.count, of: source, at: now, send: send)
      return nil
    }
  }

  /// Notes when a packet came, for what its publisher is told.
  private mutating func note(_ packet: RTPPacket, from session: SessionKey, at now: MediaTime) {
    while arrivals.count <= session.index { arrivals.append(nil) }
    if arrivals[session.index] == nil { arrivals[session.index] = ArrivalLog() }
    arrivals[session.index]?.receive(packet.ssrc, packet.sequence, at: now)
  }

  /// Sends what is in ``outgoing`` to all who get it and whose link has room; for others it waits.
  private mutating func forward(
    _ packet: VideoPacket, payloadBytes: Int, of source: Int, at now: MediaTime, send: Send
  ) {
    let isLate = packet.number < sources[source].layers[packet.layer - 1].highest
    for place in sources[source].forwarders.indices {
      let index = sources[source].forwarders[place]
      guard hasRoom(for: outgoing.count, of: index) else {
        wait(for: packet, by: index, at: now)
        continue
      }
      let before = forwarders[index].currentLayer
      guard let video = forwarders[index].forward(packet, payloadBytes: payloadBytes, at: now)
      else { continue }
      video.apply(to: &outgoing, packet)
      deliver(outgoing, video, to: forwarders[index].receiver, at: now, send: send)
      if isLate, before != packet.layer { catchUp(index, behind: packet, at: now, send: send) }
    }
  }

  /// The beginning of a key frame came late: what followed it is sent now.
  private mutating func catchUp(
    _ index: Int, behind packet: VideoPacket, at now: MediaTime, send: Send
  ) {
    let source = forwarders[index].source
    let highest = sources[source].layers[packet.layer - 1].highest
    for number in packet.number + 1...highest {
      guard
        let next = sources[source].layers[packet.layer - 1].cache.copy(
          number, into: &repeated, at: now),
        let video = forwarders[index].forward(
          next, payloadBytes: repeated.count - next.payloadStart, at: now)
      else { continue }
      video.apply(to: &repeated, next)
      deliver(repeated, video, to: forwarders[index].receiver, at: now, send: send)
    }
  }

  private mutating func deliver(
    _ bytes: [UInt8], _ video: OutgoingVideo, to receiver: SessionKey, at now: MediaTime, send: Send
  ) {
    send(receiver, bytes.span)
    counters.forwarded += 1
    receivers[receiver.index]?.link.sendVideo(
      video.ssrc, video.sequence, bytes: bytes.count, at: now)
  }

  // MARK: What waits for room

  private func hasRoom(for bytes: Int, of index: Int) -> Bool {
    // In place: this is asked for each packet and receiver.
    let place = forwarders[index].receiver.index
    return !forwarders[index].backlog.isHeld && receivers[place]?.waiting.isEmpty ?? true
      && receivers[place]?.link.hasRoom(for: bytes) ?? true
  }

  private mutating func wait(for packet: VideoPacket, by index: Int, at now: MediaTime) {
    guard forwarders[index].admits(packet) else { return }
    let receiver = forwarders[index].receiver
    receivers[receiver.index]?.waiting.append(
      WaitingVideo.Packet(
        forwarder: index, priority: forwarders[index].priority, layer: packet.layer,
        number: packet.number, timestamp: packet.timestamp, bytes: outgoing.count))
    leaveOut(of: receiver, at: now)
  }

  /// Sends what waits for a receiver, as far as its link has room.
  mutating func sendWaiting(to receiver: SessionKey, at now: MediaTime, send: Send) {
    while let packet = receivers[receiver.index]?.waiting.next,
      receivers[receiver.index]?.link.hasRoom(for: packet.bytes) == true
    {
      receivers[receiver.index]?.waiting.removeNext()
      let index = packet.forwarder
      forwarders[index].backlog.removeFirst()
      let layers = sources[forwarders[index].source].layers
      guard packet.layer <= layers.count,
        let video = layers[packet.layer - 1].cache.copy(packet.number, into: &repeated, at: now)
      else {
        // It has become too old: what follows refers to it.
        hold(index, at: now)
        continue
      }
      guard
        let numbers = forwarders[index].forward(
          video, payloadBytes: repeated.count - video.payloadStart, at: now)
      else { continue }
      numbers.apply(to: &repeated, video)
      deliver(repeated, numbers, to: receiver, at: now, send: send)
    }
  }

  /// More waits than may: whole frames are left out, of those tiles first that matter least.
  mutating func leaveOut(of receiver: SessionKey, at now: MediaTime) {
    while let waiting = receivers[receiver.index]?.waiting,
      let link = receivers[receiver.index]?.link, let index = waiting.first,
      isTooLong(waiting, link, for: index)
    {
      hold(index, at: now)
      // Only the rest of a frame that has begun may be left of it.
      if receivers[receiver.index]?.waiting.bytes == waiting.bytes { return }
    }
  }

  private func isTooLong(_ waiting: WaitingVideo, _ link: ReceiverLink, for index: Int) -> Bool {
    let forwarder = forwarders[index]
    let most = receivers[forwarder.receiver.index]?.forwarders.lazy
      .map { forwarders[$0] }.filter { $0.wanted != 0 }.map(\.priority).max()
    let limit =
      !link.estimator.isKnown
      ? rules.longestFirstWait
      : forwarder.priority < most ?? .lowest ? rules.longestMinorWait : rules.longestWait
    return waiting.count > rules.waitingPackets
      || Int64(waiting.bytes) * 8_000_000 / Int64(link.estimator.bitsPerSecond) > limit.wholeUs
  }

  /// Nothing more of a tile leaves until there is room, but for the rest of a frame that has begun.
  private mutating func hold(_ index: Int, at now: MediaTime) {
    let frame = forwarders[index].unfinishedFrame
    let receiver = forwarders[index].receiver.index
    let kept = receivers[receiver]?.waiting.removeAll(of: index, butOf: frame) ?? 0
    if !forwarders[index].backlog.isHeld { counters.held += 1 }
    forwarders[index].backlog.hold(finishing: frame, keeping: kept, at: now)
  }

  /// There is room again: tiles that were held go on, those first that matter most.
  mutating func release(of receiver: SessionKey, at now: MediaTime, send: Send) {
    guard let state = receivers[receiver.index], state.waiting.isEmpty,
      state.link.hasRoom(for: min(state.link.estimator.window, 1 << 20) / 2)
    else { return }
    let held = state.forwarders.filter { forwarders[$0].backlog.isHeld }
    guard let index = held.max(by: { forwarders[$0].priority < forwarders[$1].priority }),
      let since = forwarders[index].backlog.heldAt, now - since >= rules.holdTime
    else { return }
    forwarders[index].release()
    requestKeyFrames(of: forwarders[index].source, at: now, send: send)
  }
}
