internal import COpus

/// The settings of an ``OpusEncoder``. The sample rate is always 48 kHz.
public struct OpusSettings: Hashable, Sendable {
  /// The property that the encoder optimises.
  public enum Application: Hashable, Sendable {
    /// The intelligibility of speech. A high-pass filter removes low frequencies and shifts phases.
    case voice
    /// The fidelity to the original.
    case audio

    var code: Int32 {
      switch self {
      case .voice: OPUS_APPLICATION_VOIP
      case .audio: OPUS_APPLICATION_AUDIO
      }
    }
  }

  /// The property that the encoder optimises.
  public var application = Application.audio
  /// The number of channels, 1 or 2. The samples of two channels are interleaved.
  public var channels = 1
  /// The bitrate in bit/s, 500–512,000.
  public var bitrate = 32_000
  /// The computational complexity, 0–10. More complexity uses more CPU time for better quality.
  public var complexity = 5
  /// The maximum encoded audio bandwidth. The encoder reduces input with a wider bandwidth to this
  /// bandwidth.
  public var maxBandwidth = OpusBandwidth.full
  /// Whether a packet may contain a low-bitrate copy of the previous packet (in-band FEC).
  ///
  /// Opus adds the copy only in the speech modes of Opus, and only if the expected loss justifies
  /// the copy. Opus selects the mode by application, bitrate and expected loss. At 32 kbit/s and a
  /// loss of 15 %, Opus selects a speech mode for either application.
  public var hasRedundancy = false
  /// The packet loss that the encoder protects against, in per cent, 0–100.
  public var expectedLoss = 0
  /// Whether the encoder makes no packets during silence (discontinuous transmission, DTX).
  public var isDiscontinuous = false

  /// Creates settings for one channel of any audio at 32 kbit/s.
  public init() {}
}
