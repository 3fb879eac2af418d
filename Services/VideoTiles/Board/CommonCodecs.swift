import MeetingModel

/// The codecs that all receivers of a meeting decode.
///
/// The type counts, for each set of codecs, the receivers that decode exactly this set. A meeting
/// has few different sets, even with thousands of receivers.
struct CommonCodecs: Hashable, Sendable {
  private var counts: [VideoCodecSet: Int] = [:]

  /// The codecs that all receivers decode; all codecs if there are no receivers.
  var codecs: VideoCodecSet {
    VideoCodecSet(
      VideoCodec.allCases.filter { codec in counts.keys.allSatisfy { $0.contains(codec) } })
  }

  /// Records that a receiver decodes other codecs than before. `nil` stands for a session that
  /// receives no video.
  mutating func change(from before: VideoCodecSet?, to now: VideoCodecSet?) {
    guard before != now else { return }
    if let before, let count = counts[before] { counts[before] = count == 1 ? nil : count - 1 }
    if let now { counts[now, default: 0] += 1 }
  }
}
