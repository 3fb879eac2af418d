import MeetingModel
import Opus

/// A format of an encoded mix.
///
/// A listener requests an ``AudioMode``. The kind also depends on whether there is stereo sound.
enum MixKind: Int, CaseIterable, Hashable, Sendable {
  case mono16K
  case mono48K
  case stereo48K

  /// - Parameter isStereo: Whether an active speaker sends two channels.
  init(for mode: AudioMode, isStereo: Bool) {
    self =
      switch mode {
      case .mono16K: .mono16K
      case .mono48K: .mono48K
      case .stereo48K: isStereo ? .stereo48K : .mono48K
      }
  }

  var channels: Int { self == .stereo48K ? 2 : 1 }

  func encoderSettings(_ settings: AudioMixSettings) -> OpusSettings {
    var result = OpusSettings()
    result.channels = channels
    result.complexity = settings.complexity
    // Opus adds copies only if the expected loss, which `MixOutput` sets later, justifies them.
    result.hasRedundancy = true
    switch self {
    case .mono16K:
      result.maxBandwidth = .wide
      result.bitrate = settings.wideBandBitrate
    case .mono48K:
      result.bitrate = settings.monoBitrate
    case .stereo48K:
      result.bitrate = settings.stereoBitrate
    }
    return result
  }
}
