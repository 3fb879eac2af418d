public import Foundation

/// The bitrates, in kbit/s, that go with high resolutions.
public final class VideoBitrateConstants: NSObject, Sendable {
  public let videoHighResolutionBitrateKbps: UInt32 = 2500
  public let contentHighResolutionBitrateKbps: UInt32 = 2500

  public override init() {}
}
