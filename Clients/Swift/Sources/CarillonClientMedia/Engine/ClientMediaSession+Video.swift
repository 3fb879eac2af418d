internal import CarillonClientCore
internal import MeetingModel
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

  func receiveVideo(
    _ packet: RTPPacket, _ codec: MeetingModel.VideoCodec, _ bytes: Span<UInt8>
  ) {
    if received[packet.ssrc] == nil {
      // A decoder costs memory, so this code creates a decoder only for a known track, at the
      // track's first packet.
      guard let track = tracks.first(where: { $0.ssrc == packet.ssrc }) else { return }
      received[packet.ssrc] = ReceivedVideo(
        receiver: RemoteVideoTrackReceiver(ssrc: packet.ssrc, codec: codec),
        decoding: makeDecoding(track))
    }
    received[packet.ssrc]?.receiver.receive(packet, codec, bytes, at: now)
    takeFrames(of: packet.ssrc)
  }

  private func makeDecoding(_ track: RemoteVideoTrack) -> VideoDecoderQueue {
    VideoDecoderQueue(track) { [weak delegate] frame in
      delegate?.mediaDidReceive(frame, of: track.tileId)
    } showEncoded: { [weak delegate] width, height in
      delegate?.mediaDidReceiveEncoded(width: width, height: height, of: track.tileId)
    } fail: { [weak self] in
      self?.post(.undecodable(ssrc: track.ssrc))
    }
  }

  private func takeFrames(of ssrc: UInt32) {
    let now = now
    while let frame = received[ssrc]?.receiver.next(at: now) {
      guard let decoding = received[ssrc]?.decoding else { return }
      if let delivery = deliveries[decoding.track.tileId], let encoded = EncodedFrame(frame),
        !delivery.deliver(encoded)
      {
        received[ssrc]?.receiver.wantKeyFrame()
      }
      if frame.codec == .vp8 {
        decoding.decode(
          frame.bytes, timestampNs: frame.timestampNs, rotation: VideoRotation(frame))
      } else {
        decoding.skip(width: frame.width, height: frame.height)
      }
    }
  }

  func tickVideo() {
    guard !received.isEmpty, let connection, let format = place?.format else { return }
    let (now, roundTrip) = (now, roundTrip)
    reports.clear()
    for ssrc in received.keys {
      takeFrames(of: ssrc)
      received[ssrc]?.receiver.tick(
        at: now, roundTrip: roundTrip, sender: format.audioSent, into: &reports)
    }
    if !reports.isEmpty { connection.send(reports.bytes.span) }
  }
  // MARK: Sinks of encoded frames

  func addSink(_ sink: any EncodedVideoSink, _ tileId: Int) {
    let delivery = deliveries[tileId] ?? EncodedVideoDelivery()
    deliveries[tileId] = delivery
    guard delivery.add(sink) else { return }
    for track in tracks where track.tileId == tileId {
      received[track.ssrc]?.receiver.wantKeyFrame()
    }
  }

  func removeSink(_ sink: any EncodedVideoSink, _ tileId: Int) {
    guard let delivery = deliveries[tileId] else { return }
    delivery.remove(sink)
    if delivery.isEmpty { deliveries[tileId] = nil }
  }
}

extension RemoteVideoTrackReceiver.Frame {
  fileprivate var timestampNs: Int64 { timestamp * 100_000 / 9 }
}

extension VideoRotation {
  fileprivate init(_ frame: RemoteVideoTrackReceiver.Frame) {
    self = VideoRotation(rawValue: frame.degrees) ?? .rotation0
  }
}

extension EncodedFrame {
  /// Returns `nil` for a codec that ``CarillonClientCore/VideoCodec`` does not contain.
  fileprivate init?(_ frame: RemoteVideoTrackReceiver.Frame) {
    let codec: CarillonClientCore.VideoCodec
    switch frame.codec {
    case .vp8: codec = .vp8
    case .h264: codec = .h264
    case .vp9, .av1: return nil
    }
    self.init(
      codec: codec, data: frame.bytes, timestampNs: frame.timestampNs,
      isKeyFrame: frame.isKeyFrame, rotation: VideoRotation(frame), width: frame.width,
      height: frame.height)
  }
}
