import MeetingModel

/// A set of video codecs in one byte.
struct VideoCodecSet: Hashable, Sendable {
  private var bits: UInt8 = 0

  /// The codecs of clients that declare no codecs.
  static let undeclared = VideoCodecSet([.vp8, .h264])

  /// All codecs that Carillon forwards.
  static let all = VideoCodecSet(VideoCodec.allCases)

  init(_ codecs: some Sequence<VideoCodec>) {
    for codec in codecs { bits |= Self.bit(of: codec) }
  }

  func contains(_ codec: VideoCodec) -> Bool { bits & Self.bit(of: codec) != 0 }

  /// The codecs of the set, in the order of `VideoCodec`.
  var codecs: [VideoCodec] { VideoCodec.allCases.filter(contains) }

  private static func bit(of codec: VideoCodec) -> UInt8 {
    switch codec {
    case .vp8: 1
    case .h264: 2
    case .vp9: 4
    case .av1: 8
    }
  }
}
