import MeetingModel
import RTP

// Handles packets of publishers.
extension VideoRouter {
  /// Handles a packet of a session that publishes video.
  ///
  /// - Parameters:
  ///   - packet: The header of the packet.
  ///   - codec: The codec of the packet; `nil` if the publisher's link does not use the packet's
  ///     payload type.
  /// - Returns: The reason for a refusal; `nil` if the router accepts the packet.
  @discardableResult
  mutating func receive(
    _ packet: RTPPacket, _ codec: VideoCodec?, in bytes: Span<UInt8>, from session: SessionSlot,
    at now: MonotonicTime, send: Send
  ) -> VideoRefusal? {
    let refusal = receiveMedia(
      packet, codec, in: bytes, from: session, arrival: now, at: now, send: send)
    count(refusal)
    return refusal
  }

  private mutating func count(_ refusal: VideoRefusal?) {
    switch refusal {
    case nil: counters.received += 1
    case .early: counters.early += 1
    case let refusal?: counters.refuse(refusal)
    }
  }

  /// - Parameter arrival: When the packet arrived, possibly before `now`.
  private mutating func receiveMedia(
    _ packet: RTPPacket, _ codec: VideoCodec?, in bytes: Span<UInt8>, from session: SessionSlot,
    arrival: MonotonicTime, at now: MonotonicTime, send: Send
  ) -> VideoRefusal? {
    guard bytes.count <= rules.maximumPacketBytes else { return .tooLarge }
    do throws(VideoRefusal) {
      let place = try admit(packet.ssrc, codec, from: session)
      return take(bytes, packet, of: place, arrival: arrival, at: now, send: send)
    } catch {
      return hold(bytes, packet, codec, from: session, refusedFor: error, at: now)
    }
  }

  /// Returns the layer of a session's packet, according to the present decisions.
  private func admit(
    _ ssrc: UInt32, _ codec: VideoCodec?, from session: SessionSlot
  ) throws(VideoRefusal) -> LayerPlace {
    guard let place = layerOfSSRC[ssrc] else { throw .unknownSource }
    guard sources[place.source].publisher == session else { throw .foreign }
    guard codec == sources[place.source].description.codec else { throw .wrongPayloadType }
    return place
  }

  private mutating func take(
    _ bytes: Span<UInt8>, _ packet: RTPPacket, of place: LayerPlace, arrival: MonotonicTime,
    at now: MonotonicTime, send: Send
  ) -> VideoRefusal? {
    let (source, layer) = (place.source, place.layer)
    let codec = sources[source].description.codec
    switch sources[source].layers[layer - 1].receive(bytes, packet, codec, at: arrival) {
    case .refused(let reason):
      return reason
    case .useless(let number, let restarts):
      if restarts { restartForwarders(of: place) }
      for index in sources[source].forwarders { forwarders[index].leaveOut(number, of: layer) }
      return packet.payload.isEmpty ? nil : .malformed
    case .taken(var video, let restarts):
      if arrival < now { video.heldSince = arrival }
      if video.startsKeyFrame { sources[source].requestPace.noteKeyFrame() }
      if restarts { restartForwarders(of: place) }
      outgoing.replaceAll(copying: bytes)
      forward(video, payloadBytes: packet.payload.count, of: source, at: now, send: send)
      return nil
    }
  }

  /// Makes the forwarders of a restarted layer wait for a key frame.
  private mutating func restartForwarders(of place: LayerPlace) {
    for index in sources[place.source].forwarders { forwarders[index].restart(place.layer) }
  }

  // MARK: Packets that no decision admits yet

  /// Stores a packet that the next decision may admit.
  private mutating func hold(
    _ bytes: Span<UInt8>, _ packet: RTPPacket, _ codec: VideoCodec?, from session: SessionSlot,
    refusedFor refusal: VideoRefusal, at now: MonotonicTime
  ) -> VideoRefusal {
    guard let codec, early.hasRoom(for: session) else { return refusal }
    var copy: [UInt8] = []
    copy.append(copying: bytes)
    early.hold(
      EarlyVideo.Packet(
        session: session, packet: packet, codec: codec, bytes: copy, arrival: now,
        refusal: refusal))
    return .early
  }

  /// Handles the waiting packets that the present decisions admit.
  ///
  /// The caller first applies sources, publishers and receivers.
  ///
  /// - Returns: Each of these packets with the reason for its refusal; `nil` for an accepted
  ///   packet.
  mutating func takeEarly(
    at now: MonotonicTime, send: Send
  ) -> [(packet: EarlyVideo.Packet, refusal: VideoRefusal?)] {
    guard !early.isEmpty else { return [] }
    var waiting = early
    let admitted = waiting.take {
      (try? admit($0.packet.ssrc, $0.codec, from: $0.session)) != nil
    }
    early = waiting
    return admitted.map { early in
      let refusal = receiveMedia(
        early.packet, early.codec, in: early.bytes.span, from: early.session,
        arrival: early.arrival, at: now, send: send)
      count(refusal)
      return (early, refusal)
    }
  }

  /// Refuses the packets that no decision admitted in time.
  ///
  /// - Returns: The sender of each packet, and the reason for its refusal.
  mutating func refuseLate(
    at now: MonotonicTime
  ) -> [(session: SessionSlot, refusal: VideoRefusal)] {
    guard !early.isEmpty else { return [] }
    return early.takeExpired(at: now).map { packet in
      counters.refuse(packet.refusal)
      return (packet.session, packet.refusal)
    }
  }

  // MARK: Forwarding

  /// Forwards the packet in ``outgoing`` to all receivers whose link has room. For the other
  /// receivers, the packet waits.
  private mutating func forward(
    _ packet: VideoPacket, payloadBytes: Int, of source: Int, at now: MonotonicTime, send: Send
  ) {
    let isLate = packet.number < sources[source].layers[packet.layer - 1].highest
    for place in sources[source].forwarders.indices {
      let index = sources[source].forwarders[place]
      guard hasRoom(for: outgoing.count, of: index) else {
        wait(for: packet, by: index, at: now)
        continue
      }
      let before = forwarders[index].currentLayer
      guard let type = payloadType(for: index),
        let video = renumber(packet, payloadBytes: payloadBytes, by: index, at: now)
      else { continue }
      video.apply(to: &outgoing, packet, payloadType: type)
      deliver(outgoing, packet, video, by: index, at: now, send: send)
      if isLate, before != packet.layer { catchUp(index, behind: packet, at: now, send: send) }
    }
  }

  /// Handles the late arrival of the first packet of a key frame: forwards the packets of this
  /// frame that arrived earlier.
  private mutating func catchUp(
    _ index: Int, behind packet: VideoPacket, at now: MonotonicTime, send: Send
  ) {
    let source = forwarders[index].source
    let highest = sources[source].layers[packet.layer - 1].highest
    for number in packet.number + 1...highest {
      guard let type = payloadType(for: index),
        let next = sources[source].layers[packet.layer - 1].cache.copy(
          number, into: &repeated, at: now),
        let video = renumber(
          next, payloadBytes: repeated.count - next.payloadStart, by: index, at: now)
      else { continue }
      video.apply(to: &repeated, next, payloadType: type)
      deliver(repeated, next, video, by: index, at: now, send: send)
    }
  }

  /// Sends a packet. If the packet's receiver needs parameter sets, sends these sets before the
  /// packet.
  private mutating func deliver(
    _ bytes: [UInt8], _ packet: VideoPacket, _ video: ForwardedPacketHeader, by index: Int,
    at now: MonotonicTime, send: Send
  ) {
    let receiver = forwarders[index].receiver
    if let sets = packet.parameterSets, let before = forwarders[index].parameterSets,
      let type = payloadType(for: index)
    {
      before.write(parameterSets: sets, payloadType: type, into: &leading)
      deliver(leading, before, to: receiver, at: now, send: send)
    }
    deliver(bytes, video, to: receiver, at: now, send: send)
  }

  private mutating func deliver(
    _ bytes: [UInt8], _ video: ForwardedPacketHeader, to receiver: SessionSlot,
    at now: MonotonicTime,
    send: Send
  ) {
    send(receiver, bytes.span)
    counters.forwarded += 1
    links[receiver.index]?.sendVideo(video.ssrc, video.sequence, bytes: bytes.count, at: now)
  }

  /// Returns the receiver's payload type for the codec of a source; `nil` if the receiver does not
  /// accept the codec, or cannot use the packets of the source.
  func payloadType(for index: Int) -> UInt8? {
    let source = forwarders[index].source
    let codec = sources[source].description.codec
    guard let numbers = links[forwarders[index].receiver.index]?.numbers else {
      return nil
    }
    switch codec {
    case .vp8, .vp9: break
    case .av1 where numbers.dependencyDescriptor == nil:
      if sources[source].layers.contains(where: \.needsDescriptors) { return nil }
    case .h264 where numbers.h264 == nil:
      if sources[source].layers.contains(where: \.needsPacketizationMode1) { return nil }
    case .av1, .h264: break
    }
    return numbers.payloadType(of: codec)
  }

  /// Renumbers a packet for one receiver. The caller has checked that the receiver can use the
  /// packets of the source.
  ///
  /// The router sends parameter sets in one packet with several NAL units. A receiver that accepts
  /// only packetization mode 0 does not get this packet.
  private mutating func renumber(
    _ packet: VideoPacket, payloadBytes: Int, by index: Int, at now: MonotonicTime
  ) -> ForwardedPacketHeader? {
    guard packet.parameterSets != nil,
      links[forwarders[index].receiver.index]?.numbers.h264 == nil
    else { return forwarders[index].forward(packet, payloadBytes: payloadBytes, at: now) }
    var packet = packet
    packet.parameterSets = nil
    return forwarders[index].forward(packet, payloadBytes: payloadBytes, at: now)
  }

  // MARK: Packets that wait for room

  private func hasRoom(for bytes: Int, of index: Int) -> Bool {
    // This method runs for each packet and receiver, so this method copies nothing.
    let place = forwarders[index].receiver.index
    return !forwarders[index].backlog.isHeld && receivers[place]?.waiting.isEmpty ?? true
      && links[place]?.hasRoom(for: bytes) ?? true
  }

  private mutating func wait(for packet: VideoPacket, by index: Int, at now: MonotonicTime) {
    guard forwarders[index].admits(packet) else { return }
    let receiver = forwarders[index].receiver
    receivers[receiver.index]?.waiting.append(
      WaitingVideo.Packet(
        forwarder: index, priority: forwarders[index].priority, layer: packet.layer,
        number: packet.number, timestamp: packet.timestamp, bytes: outgoing.count))
    leaveOut(of: receiver, at: now)
  }

  /// Sends the waiting packets of a receiver until the receiver's link has no more room.
  mutating func sendWaiting(to receiver: SessionSlot, at now: MonotonicTime, send: Send) {
    guard receivers.indices.contains(receiver.index) else { return }
    while let packet = receivers[receiver.index]?.waiting.next,
      links[receiver.index]?.hasRoom(for: packet.bytes) == true
    {
      receivers[receiver.index]?.waiting.removeNext()
      let index = packet.forwarder
      forwarders[index].backlog.removeFirst()
      let layers = sources[forwarders[index].source].layers
      guard packet.layer <= layers.count,
        let video = layers[packet.layer - 1].cache.copy(packet.number, into: &repeated, at: now)
      else {
        // The cache no longer stores the packet. The next packets depend on this packet, so the
        // router stops the tile.
        hold(index, at: now)
        continue
      }
      guard let type = payloadType(for: index),
        let numbers = renumber(
          video, payloadBytes: repeated.count - video.payloadStart, by: index, at: now)
      else { continue }
      numbers.apply(to: &repeated, video, payloadType: type)
      deliver(repeated, video, numbers, by: index, at: now, send: send)
    }
  }

  /// Drops whole frames of a receiver while the receiver's queue is too long, first from the tiles
  /// with the lowest priority.
  mutating func leaveOut(of receiver: SessionSlot, at now: MonotonicTime) {
    while let waiting = receivers[receiver.index]?.waiting,
      let link = links[receiver.index], let index = waiting.first,
      isTooLong(waiting, link, for: index)
    {
      hold(index, at: now)
      // If `hold` removed nothing, the queue contains only the rest of an unfinished frame.
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

  /// Stops a tile until the link has room. If the router has sent a part of a frame, it still sends
  /// the rest of this frame.
  private mutating func hold(_ index: Int, at now: MonotonicTime) {
    let frame = forwarders[index].unfinishedFrame
    let receiver = forwarders[index].receiver.index
    let kept = receivers[receiver]?.waiting.removeAll(of: index, butOf: frame) ?? 0
    if !forwarders[index].backlog.isHeld { counters.held += 1 }
    forwarders[index].backlog.hold(finishing: frame, keeping: kept, at: now)
  }

  /// Resumes the stopped tile with the highest priority when the link has room again.
  mutating func release(of receiver: SessionSlot, at now: MonotonicTime, send: Send) {
    guard let state = receivers[receiver.index], state.waiting.isEmpty,
      let link = links[receiver.index], link.hasRoom(for: min(link.estimator.window, 1 << 20) / 2)
    else { return }
    let held = state.forwarders.filter { forwarders[$0].backlog.isHeld }
    guard let index = held.max(by: { forwarders[$0].priority < forwarders[$1].priority }),
      let since = forwarders[index].backlog.heldAt, now - since >= rules.holdTime
    else { return }
    forwarders[index].release()
    requestKeyFrames(of: forwarders[index].source, at: now, send: send)
  }
}
