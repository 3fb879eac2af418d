import MeetingModel

/// The parts of a stream's bitrate that the stream's temporal layers use.
///
/// The encoders of VP8 and VP9 in browsers (libvpx) divide the bitrate in this way. If a stream has
/// two temporal layers, the first layer contains every second frame. If a stream has three temporal
/// layers, the first layer contains every fourth frame.
enum TemporalLayers {
  /// Returns the bitrate of a stream with its first `count` temporal layers; `nil` if the share of
  /// these layers is unknown.
  static func bitrate(of stream: Bitrate, first count: Int, of all: Int) -> Bitrate? {
    guard count < all else { return stream }
    guard let shares = cumulativePercent[all], shares.indices.contains(count - 1) else {
      return nil
    }
    return Bitrate(bitsPerSecond: stream.bitsPerSecond * shares[count - 1] / 100)
  }

  /// The maximum number of temporal layers for which the shares are known.
  static let mostKnown = 4

  private static let cumulativePercent = [2: [60], 3: [40, 60], mostKnown: [25, 40, 60]]
}
