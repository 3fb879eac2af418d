public import Foundation

/// How the local video is sent.
public final class LocalVideoConfiguration: NSObject {
  /// Whether it is sent in several sizes at once.
  public var simulcastEnabled: Bool

  /// The highest bitrate, in kbit/s; 0 leaves it to the network.
  public var maxBitRateKbps: UInt32

  /// Makes a configuration; `maxBitRateKbps` is in kbit/s, and 0 leaves it to the network.
  public init(maxBitRateKbps: UInt32 = 0, simulcastEnabled: Bool = true) {
    self.maxBitRateKbps = maxBitRateKbps
    self.simulcastEnabled = simulcastEnabled
  }
}

/// The bitrates, in kbit/s, that go with high resolutions.
public final class VideoBitrateConstants: NSObject, Sendable {
  /// The bitrate of a camera in full HD, in kbit/s.
  public let videoHighResolutionBitrateKbps: UInt32 = 2500

  /// The bitrate of a content share in ultra HD, in kbit/s.
  public let contentHighResolutionBitrateKbps: UInt32 = 2500

  public override init() {}
}
