import Wire

extension V1.MediaFormat {
  /// How the packets of a session look, as its client is told.
  init(of session: MediaSession, _ rules: MediaRules) {
    self.init(
      payloads: PayloadTypes.wire,
      audioLevelExtensionID: UInt32(PayloadTypes.audioLevelExtension),
      audioSendSSRC: session.sendSSRC, audioReceiveSSRC: session.streams.receiveSSRC,
      maxPacketBytes: UInt32(clamping: rules.maxPacketBytes),
      audioPacketMs: UInt32(MediaRules.audioPacket / .milliseconds(1)),
      audioMode: V1.AudioMode(session.audioMode))
  }
}

extension PayloadTypes {
  /// All of them, as clients are told.
  fileprivate static let wire = [
    V1.RtpPayload(payloadType: UInt32(opus), encoding: "opus", clockRate: 48_000),
    V1.RtpPayload(payloadType: UInt32(vp8), encoding: "VP8", clockRate: 90_000),
    V1.RtpPayload(payloadType: UInt32(h264), encoding: "H264", clockRate: 90_000),
  ]
}
