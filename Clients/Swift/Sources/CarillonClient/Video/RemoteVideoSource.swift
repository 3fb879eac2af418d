public import Foundation

/// A video that an attendee offers. The same object for as long as it is available, so that it can
/// be a key of a dictionary.
public final class RemoteVideoSource: NSObject {
  /// Whose video it is; ends in `#content` for a content share.
  public var attendeeId = ""

  public override init() {}
}
