/// Where a session's media goes, and what packets look like there.
package struct MediaPlace: Hashable, Sendable {
  /// ZeroMQ endpoint.
  package var endpoint: String
  /// The first frame to send there. A secret: not for logs.
  package var ticket: [UInt8]
  /// The term of the media service that the place belongs to.
  package var term: UInt64
  package var format: MediaPacketFormat

  package init(endpoint: String, ticket: [UInt8], term: UInt64, format: MediaPacketFormat) {
    self.endpoint = endpoint
    self.ticket = ticket
    self.term = term
    self.format = format
  }
}

/// The numbers that packets carry.
package struct MediaPacketFormat: Hashable, Sendable {
  /// RTP payload type of Opus; `nil` where there is none.
  package var opus: UInt8?
  /// RTP payload type of VP8; `nil` where there is none.
  package var vp8: UInt8?
  /// The id of the header extension with the audio level, 1-14; `nil` where there is none.
  package var levelExtension: UInt8?
  /// SSRC of the audio that is sent.
  package var audioSent: UInt32
  /// SSRC of the audio that comes.
  package var audioReceived: UInt32
  /// Larger packets are dropped.
  package var maxPacketBytes: Int

  package init(
    opus: UInt8?, vp8: UInt8?, levelExtension: UInt8?, audioSent: UInt32, audioReceived: UInt32,
    maxPacketBytes: Int
  ) {
    self.opus = opus
    self.vp8 = vp8
    self.levelExtension = levelExtension
    self.audioSent = audioSent
    self.audioReceived = audioReceived
    self.maxPacketBytes = maxPacketBytes
  }
}
