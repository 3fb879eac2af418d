internal import MeetingModel
internal import Wire

extension MediaEndpoint {
  /// - Returns: `nil` if the ticket is not 16 bytes long or the packet format is missing.
  init?(_ moved: V1.MediaMoved) {
    guard moved.ticket.count == 16, let format = moved.format else { return nil }
    self.init(
      endpoint: moved.endpoint, ticket: moved.ticket, term: moved.term,
      format: MediaRTPParameters(format))
  }
}

extension MediaRTPParameters {
  init(_ format: V1.MediaFormat) {
    func payloadType(of encoding: String) -> UInt8? {
      let payload = format.payloads.first { $0.encoding.lowercased() == encoding }
      return payload.flatMap { UInt8(exactly: $0.payloadType) }
    }
    let level = UInt8(exactly: format.audioLevelExtensionID) ?? 0
    self.init(
      opus: payloadType(of: "opus"), vp8: payloadType(of: "vp8"), h264: payloadType(of: "h264"),
      levelExtension: (1...14).contains(level) ? level : nil, audioSent: format.audioSendSSRC,
      audioReceived: format.audioReceiveSSRC,
      maxPacketBytes: format.maxPacketBytes == 0 ? 1200 : Int(format.maxPacketBytes))
  }
}

extension VideoPublication {
  /// Creates a publication from a declared video and the SSRCs that the server assigned. Returns
  /// `nil` unless each layer has an SSRC.
  init?(_ declaration: VideoDeclaration, _ numbers: AssignedVideoIDs) {
    guard numbers.layers.count == declaration.layers.count, !numbers.layers.contains(0) else {
      return nil
    }
    self.init(
      number: declaration.number, isContent: declaration.kind == .content, hint: declaration.hint,
      layers: zip(declaration.layers, numbers.layers).map { layer, ssrc in
        Layer(
          ssrc: ssrc, width: layer.width, height: layer.height,
          framesPerSecond: layer.framesPerSecond, bitsPerSecond: layer.bitsPerSecond)
      })
  }
}

extension ServerMeasuredMetrics {
  init(_ metrics: V1.MediaMetrics) {
    func percent(_ uplink: V1.UplinkMetrics?) -> Double? {
      uplink.map { Double($0.lossPpm) / 10_000 }
    }
    func known(_ bitsPerSecond: UInt32) -> Double? {
      bitsPerSecond > 0 ? Double(bitsPerSecond) : nil
    }
    self.init(
      audioSendLossPercent: percent(metrics.audioSend),
      videoSendLossPercent: percent(metrics.videoSend),
      availableSendBitsPerSecond: known(metrics.availableSendBitsPerSecond),
      availableReceiveBitsPerSecond: known(metrics.availableReceiveBitsPerSecond),
      audioReceiveConcealedPackets: Double(metrics.audioReceiveConcealedPackets))
  }
}

extension V1.AudioMode {
  init(_ mode: AudioMode) {
    self = mode.inModel(as: MeetingModel.AudioMode.self).map { .init($0) } ?? .unspecified
  }
}

extension V1.MediaDirection {
  /// Encodes the audio directions that a session uses.
  init(_ settings: SessionMediaSettings) {
    self = settings.sendsAudio ? .sendReceive : settings.hasAudio ? .receive : .none
  }
}
