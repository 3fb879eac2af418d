internal import COpus

/// How an ``OpusEncoder`` encodes. The sample rate is 48 kHz always.
public struct OpusSettings: Hashable, Sendable {
  /// What the encoder favours.
  public enum Application: Hashable, Sendable {
    /// Speech that is understood. It filters low frequencies out, which shifts phases.
    case voice
    /// Closeness to the original.
    case audio

    var code: Int32 {
      switch self {
      case .voice: OPUS_APPLICATION_VOIP
      case .audio: OPUS_APPLICATION_AUDIO
      }
    }
  }

  /// What the encoder favours.
  public var application = Application.audio
  /// The number of channels, 1 or 2; samples of two are interleaved.
  public var channels = 1
  /// The bitrate in bits per second, 500–512,000.
  public var bitrate = 32_000
  /// How much CPU time goes into quality, 0–10.
  public var complexity = 5
  /// The most that is encoded, whatever the input has.
  public var maxBandwidth = OpusBandwidth.full
  /// Adds a coarse copy of the last packet where the expected loss makes it worth its bits. Only
  /// speech modes have it: Opus chooses them by application, bit rate and expected loss (at 32
  /// kbit/s and 15 % for either application).
  public var hasRedundancy = false
  /// The loss that packets are protected against, in per cent, 0–100.
  public var expectedLoss = 0
  /// Says nothing while there is silence (DTX).
  public var isDiscontinuous = false

  /// Makes settings for one channel of anything, at 32 kbit/s.
  public init() {}
}
