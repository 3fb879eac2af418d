/// The address of `media` for a session, and the packet format of `media`.
package struct MediaEndpoint: Hashable, Sendable {
  /// The ZeroMQ endpoint of `media`.
  package var endpoint: String
  /// The first frame to send to the endpoint. The ticket is a secret, so no log may contain it.
  package var ticket: [UInt8]
  /// The ownership term of `media` in which the address is valid.
  package var term: UInt64
  package var format: MediaRTPParameters

  package init(endpoint: String, ticket: [UInt8], term: UInt64, format: MediaRTPParameters) {
    self.endpoint = endpoint
    self.ticket = ticket
    self.term = term
    self.format = format
  }
}

/// The numbers that packets contain, such as SSRCs, and the maximum size of a packet.
package struct MediaRTPParameters: Hashable, Sendable {
  /// The RTP payload type of Opus; `nil` if the packets do not carry Opus.
  package var opus: UInt8?
  /// The RTP payload type of VP8; `nil` if the packets do not carry VP8.
  package var vp8: UInt8?
  /// The RTP payload type of H.264; `nil` if the packets do not carry H.264.
  package var h264: UInt8?
  /// The id of the header extension with the audio level, 1-14; `nil` if packets carry no audio
  /// level.
  package var levelExtension: UInt8?
  /// The SSRC of the sent audio.
  package var audioSent: UInt32
  /// The SSRC of the received audio.
  package var audioReceived: UInt32
  /// The maximum size of a packet, in bytes. `media` drops larger packets.
  package var maxPacketBytes: Int

  package init(
    opus: UInt8?, vp8: UInt8?, h264: UInt8? = nil, levelExtension: UInt8?, audioSent: UInt32,
    audioReceived: UInt32, maxPacketBytes: Int
  ) {
    self.opus = opus
    self.vp8 = vp8
    self.h264 = h264
    self.levelExtension = levelExtension
    self.audioSent = audioSent
    self.audioReceived = audioReceived
    self.maxPacketBytes = maxPacketBytes
  }
}
