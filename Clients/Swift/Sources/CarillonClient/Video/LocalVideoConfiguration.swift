public import Foundation

/// How the local video is sent.
public final class LocalVideoConfiguration: NSObject {
  /// Whether it is sent in several sizes at once.
  public var simulcastEnabled: Bool

  /// The highest bitrate, in kbit/s; 0 leaves it to the network.
  public var maxBitRateKbps: UInt32

  public init(maxBitRateKbps: UInt32 = 0, simulcastEnabled: Bool = true) {
    self.maxBitRateKbps = maxBitRateKbps
    self.simulcastEnabled = simulcastEnabled
  }
}
