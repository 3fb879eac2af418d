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

  /// Sends what is in ``outgoing`` to all who get it.
  private mutating func forward(
    _ packet: VideoPacket, payloadBytes: Int, of source: Int, at now: MediaTime, send: Send
  ) {
    let isLate = packet.number < sources[source].layers[packet.layer - 1].highest
    for place in sources[source].forwarders.indices {
      let index = sources[source].forwarders[place]
      let before = forwarders[index].currentLayer
      guard let video = forwarders[index].forward(packet, payloadBytes: payloadBytes, at: now)
      else { continue }
      video.apply(to: &outgoing, packet)
      deliver(outgoing, to: forwarders[index].receiver, at: now, send: send)
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
      deliver(repeated, to: forwarders[index].receiver, at: now, send: send)
    }
  }

  private mutating func deliver(
    _ bytes: [UInt8], to receiver: SessionKey, at now: MediaTime, send: Send
  ) {
    send(receiver, bytes.span)
    counters.forwarded += 1
    receivers[receiver.index]?.estimator.send(bytes.count, at: now)
  }
}
