internal import CarillonClientCore
internal import RTP

/// The handling of sent and received videos.
extension ClientMediaSession {
  // MARK: Sent

  func publish(_ encoding: VideoEncoderQueue?) {
    self.encoding?.close()
    self.encoding = encoding
    makeVideoStreams()
    if connection?.isBound == true { encoding?.setActive(place?.format.vp8 != nil) }
  }

  func makeVideoStreams() {
    let former = streams
    streams = []
    guard let format = place?.format, let payloadType = format.vp8, let encoding else {
      return count(former)
    }
    for layer in encoding.publication.layers {
      // An unchanged layer keeps its stream, so the stream's sequence numbers continue.
      let stream =
        former.first { $0.ssrc == layer.ssrc && $0.payloadType == payloadType }
        ?? VideoSendStream(
          ssrc: layer.ssrc, payloadType: payloadType, maxPacketBytes: format.maxPacketBytes,
          numbers: &numbers)
      streams.append(stream)
    }
    count(former.filter { old in !streams.contains { $0.ssrc == old.ssrc } })
  }

  func send(_ outputs: [VideoEncoderQueue.Output], of number: UInt64) {
    guard let connection, connection.isBound, encoding?.publication.number == number else { return }
    let now = now
    lastFrameSent = now
    for output in outputs where streams.indices.contains(output.layer) {
      let ssrc = streams[output.layer].ssrc
      streams[output.layer].send(
        output.frame, timestamp: output.timestamp,
        VideoOrientation(degrees: output.rotation.rawValue)
      ) { packet, sequence in
        uplink.send(packet, ssrc, sequence, at: now) { connection.send($0) }
      }
    }
  }

  func resend(_ list: NackList, _ bytes: Span<UInt8>) {
    guard let connection, let index = streams.firstIndex(where: { $0.ssrc == list.media }) else {
      return
    }
    list.forEach(in: bytes) { missing in
      streams[index].resend(missing) { connection.send($0) }
    }
  }

  func requestKeyFrame(of ssrc: UInt32) {
    guard let layer = streams.firstIndex(where: { $0.ssrc == ssrc }) else { return }
    encoding?.requestKeyFrame(ofLayer: layer)
  }

  // MARK: Received

  func setReceived(_ tracks: [RemoteVideoTrack]) {
    self.tracks = tracks
    for (ssrc, video) in received where !tracks.contains(video.decoding.track) {
      video.decoding.close()
      received[ssrc] = nil
      count(video.receiver)
    }
  }

  /// Prepares the received videos for another instance of `media`.
  func restartReceived() {
    for ssrc in received.keys { received[ssrc]?.receiver.restart() }
  }

  func receiveVideo(_ packet: RTPPacket, _ bytes: Span<UInt8>) {
    if received[packet.ssrc] == nil {
      // A decoder costs memory, so this code creates a decoder only for a known track, at the
      // track's first packet.
      guard let track = tracks.first(where: { $0.ssrc == packet.ssrc }) else { return }
      received[packet.ssrc] = ReceivedVideo(
        receiver: RemoteVideoTrackReceiver(ssrc: packet.ssrc), decoding: makeDecoding(track))
    }
    received[packet.ssrc]?.receiver.receive(packet, bytes, at: now)
    decode(packet.ssrc)
  }

  private func makeDecoding(_ track: RemoteVideoTrack) -> VideoDecoderQueue {
    VideoDecoderQueue(track) { [weak delegate] frame in
      delegate?.mediaDidReceive(frame, of: track.tileId)
    } fail: { [weak self] in
      self?.post(.undecodable(ssrc: track.ssrc))
    }
  }

  private func decode(_ ssrc: UInt32) {
    let now = now
    while let frame = received[ssrc]?.receiver.next(at: now) {
      received[ssrc]?.decoding.decode(
        frame.bytes, timestampNs: frame.timestamp * 100_000 / 9,
        rotation: VideoRotation(rawValue: frame.degrees) ?? .rotation0)
    }
  }

  func tickVideo() {
    guard !received.isEmpty, let connection, let format = place?.format else { return }
    let (now, roundTrip) = (now, roundTrip)
    reports.clear()
    for ssrc in received.keys {
      decode(ssrc)
      received[ssrc]?.receiver.tick(
        at: now, roundTrip: roundTrip, sender: format.audioSent, into: &reports)
    }
    if !reports.isEmpty { connection.send(reports.bytes.span) }
  }
}
