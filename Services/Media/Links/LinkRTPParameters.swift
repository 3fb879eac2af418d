import MeetingModel
import RTP

/// The numbers for formats and header extensions in the packets of one link.
///
/// Inside `media`, formats have no numbers: a packet contains audio, or video with a codec. A link
/// knows its numbers when it opens, and uses them in both directions. `nil` means that the client
/// does not accept the format or extension.
struct LinkRTPParameters: Hashable, Sendable {
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

  /// The payload type of H.264 in packetization mode 1: a packet contains one NAL unit, several NAL
  /// units, or a fragment of a NAL unit (RFC 6184, section 6.3).
  var h264: UInt8?

  /// The payload type of H.264 in packetization mode 0: each packet contains exactly one NAL unit
  /// (RFC 6184, section 6.2).
  var h264SingleUnits: UInt8?
  var vp9: UInt8?
  var av1: UInt8?

  /// The id of the header extension that carries the audio level of a packet (RFC 6464).
  var audioLevel: UInt8?

  /// The id of the header extension that describes AV1 frames (``RTP/DependencyDescriptor``).
  var dependencyDescriptor: UInt8?

  /// The numbers for ZeroMQ clients, as `MediaFormat` defines them.
  static let carillon = LinkRTPParameters(
    opus: 111, vp8: 96, h264: 97, vp9: 98, av1: 99, audioLevel: 1,
    dependencyDescriptor: DependencyDescriptor.id)

  /// Returns the format of a payload type; `nil` if the link does not use this type.
  func format(of payloadType: UInt8) -> Format? {
    // This code runs for each packet. An array of all codecs would cost an allocation each time.
    if payloadType == opus { return .opus }
    if payloadType == redundantOpus { return .redundantOpus }
    if payloadType == vp8 { return .video(.vp8) }
    if payloadType == h264 || payloadType == h264SingleUnits { return .video(.h264) }
    if payloadType == vp9 { return .video(.vp9) }
    return payloadType == av1 ? .video(.av1) : nil
  }

  /// Returns the payload type of a codec; `nil` if the client does not accept the codec.
  ///
  /// A client that accepts both packetization modes of H.264 gets mode 1, which also allows the
  /// packets of mode 0.
  func payloadType(of codec: VideoCodec) -> UInt8? {
    switch codec {
    case .vp8: vp8
    case .h264: h264 ?? h264SingleUnits
    case .vp9: vp9
    case .av1: av1
    }
  }

  /// The payload type of packets that contain only padding. These packets form their own stream.
  var padding: UInt8? { vp8 ?? h264 ?? h264SingleUnits ?? vp9 ?? av1 }
}
