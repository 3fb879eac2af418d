import Wire

extension V1.MediaFormat {
  /// Describes the packets of a session to the session's client.
  init(of session: MediaServerSession, _ rules: MediaRules) {
    self.init(
      payloads: LinkRTPParameters.carillon.payloads,
      audioLevelExtensionID: UInt32(LinkRTPParameters.carillon.audioLevel ?? 0),
      audioSendSSRC: session.sendSSRC, audioReceiveSSRC: session.streams.receiveSSRC,
      maxPacketBytes: UInt32(clamping: rules.maxPacketBytes),
      audioPacketMs: UInt32(MediaRules.audioPacket / .milliseconds(1)),
      audioMode: V1.AudioMode(session.audioMode))
  }
}

extension LinkRTPParameters {
  /// All payload types, as messages for clients.
  fileprivate var payloads: [V1.RtpPayload] {
    let formats: [(UInt8?, String, UInt32)] = [
      (opus, "opus", 48_000), (vp8, "VP8", 90_000), (h264, "H264", 90_000),
      (vp9, "VP9", 90_000), (av1, "AV1", 90_000),
    ]
    return formats.compactMap { number, encoding, clockRate in
      number.map {
        V1.RtpPayload(payloadType: UInt32($0), encoding: encoding, clockRate: clockRate)
      }
    }
  }
}
