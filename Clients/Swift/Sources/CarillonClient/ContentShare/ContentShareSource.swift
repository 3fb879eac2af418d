public import Foundation

/// What is shared.
public final class ContentShareSource: NSObject {
  /// Gives the pictures; without it nothing is shared.
  public var videoSource: (any VideoSource)?

  public override init() {}
}
