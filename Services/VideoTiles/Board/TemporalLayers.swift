import MeetingModel

/// The shares of the temporal layers of a stream in the stream's bitrate.
///
/// The encoders of VP8 and VP9 in browsers (libvpx) divide the bitrate in these shares. The stream
/// with its first temporal layers has a fraction of the stream's frames: with two temporal layers,
/// every second frame; with three temporal layers, every fourth frame.
enum TemporalLayers {
  /// Returns the bitrate of a stream with its first `count` temporal layers; `nil` if the board
  /// does not know the share of these layers.
  static func bitrate(of stream: Bitrate, first count: Int, of all: Int) -> Bitrate? {
    guard count < all else { return stream }
    guard let shares = cumulativePercent[all], shares.indices.contains(count - 1) else {
      return nil
    }
    return Bitrate(bitsPerSecond: stream.bitsPerSecond * shares[count - 1] / 100)
  }

  /// The highest number of temporal layers whose shares are known.
  static let mostKnown = 4

  private static let cumulativePercent = [2: [60], 3: [40, 60], mostKnown: [25, 40, 60]]
}
