import MeetingModel

/// What one link calls formats and header extensions on the wire. Inside media they have no
/// numbers: packets are sound or of a codec.
///
/// A link knows its numbers when it opens, and uses them in both directions. `nil` stands for what
/// its client does not take.
struct LinkNumbers: Hashable, Sendable {
  /// The format of a packet.
  enum Format: Hashable, Sendable {
    case opus
    /// Opus with copies of earlier packets (RFC 2198).
    case redundantOpus
    case video(VideoCodec)
  }

  /// The payload types.
  var opus: UInt8
  var redundantOpus: UInt8?
  var vp8: UInt8?
  var h264: UInt8?

  /// The id of the header extension that says how loud a packet is (RFC 6464).
  var audioLevel: UInt8?

  /// The numbers of ZeroMQ clients, as `MediaFormat` tells them.
  static let carillon = LinkNumbers(opus: 111, vp8: 96, h264: 97, audioLevel: 1)

  /// - Returns: `nil`: the link has no such payload type.
  func format(of payloadType: UInt8) -> Format? {
    // Asked for each packet: a list of all codecs would be allocated each time.
    if payloadType == opus { return .opus }
    if payloadType == redundantOpus { return .redundantOpus }
    if payloadType == vp8 { return .video(.vp8) }
    return payloadType == h264 ? .video(.h264) : nil
  }

  /// - Returns: `nil`: the client does not take the codec.
  func payloadType(of codec: VideoCodec) -> UInt8? {
    switch codec {
    case .vp8: vp8
    case .h264: h264
    }
  }

  /// The payload type of packets that hold nothing but padding, in a stream of their own.
  var padding: UInt8? { vp8 ?? h264 }
}
