internal import COpus

/// The audio bandwidth of a packet (RFC 6716, section 2).
public enum OpusBandwidth: Hashable, Sendable {
  /// 4 kHz, sampled at 8 kHz.
  case narrow
  /// 6 kHz, sampled at 12 kHz.
  case medium
  /// 8 kHz, sampled at 16 kHz.
  case wide
  /// 12 kHz, sampled at 24 kHz.
  case superWide
  /// 20 kHz, sampled at 48 kHz.
  case full

  var code: Int32 {
    switch self {
    case .narrow: OPUS_BANDWIDTH_NARROWBAND
    case .medium: OPUS_BANDWIDTH_MEDIUMBAND
    case .wide: OPUS_BANDWIDTH_WIDEBAND
    case .superWide: OPUS_BANDWIDTH_SUPERWIDEBAND
    case .full: OPUS_BANDWIDTH_FULLBAND
    }
  }

  init?(code: Int32) {
    switch code {
    case OPUS_BANDWIDTH_NARROWBAND: self = .narrow
    case OPUS_BANDWIDTH_MEDIUMBAND: self = .medium
    case OPUS_BANDWIDTH_WIDEBAND: self = .wide
    case OPUS_BANDWIDTH_SUPERWIDEBAND: self = .superWide
    case OPUS_BANDWIDTH_FULLBAND: self = .full
    default: return nil
    }
  }
}
