public import Foundation

/// A size and rate at which a camera can capture. Equal when all three figures are.
public final class VideoCaptureFormat: NSObject, Sendable {
  /// In pixels.
  public let width: Int

  /// In pixels.
  public let height: Int

  /// In frames per second.
  public let maxFrameRate: Int

  public init(width: Int, height: Int, maxFrameRate: Int) {
    self.width = width
    self.height = height
    self.maxFrameRate = maxFrameRate
  }

  public override var hash: Int {
    var hasher = Hasher()
    hasher.combine(width)
    hasher.combine(height)
    hasher.combine(maxFrameRate)
    return hasher.finalize()
  }

  public override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? VideoCaptureFormat else { return false }
    return (width, height, maxFrameRate) == (other.width, other.height, other.maxFrameRate)
  }
}
