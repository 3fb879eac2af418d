public import Foundation

/// The configuration with which the session sends local video.
public final class LocalVideoConfiguration: NSObject {
  /// Whether the session sends the video in several sizes at the same time.
  public var simulcastEnabled: Bool

  /// The highest bitrate, in kbit/s; 0 means the default.
  public var maxBitRateKbps: UInt32

  /// Creates a configuration. `maxBitRateKbps` is in kbit/s, and 0 means the default.
  public init(maxBitRateKbps: UInt32 = 0, simulcastEnabled: Bool = true) {
    self.maxBitRateKbps = maxBitRateKbps
    self.simulcastEnabled = simulcastEnabled
  }
}

/// The bitrates of high resolutions, in kbit/s.
public final class VideoBitrateConstants: NSObject, Sendable {
  /// The bitrate of a camera in full HD, in kbit/s.
  public let videoHighResolutionBitrateKbps: UInt32 = 2500

  /// The bitrate of a content share in ultra HD, in kbit/s.
  public let contentHighResolutionBitrateKbps: UInt32 = 2500

  public override init() {}
}
