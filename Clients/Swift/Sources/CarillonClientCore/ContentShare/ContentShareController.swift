public import Foundation

/// Shares a second video, such as a screen. Needs no started session.
public protocol ContentShareController: AnyObject, Sendable {
  /// Shares with the default configuration. `contentShareDidStart` follows, also when the
  /// connection was lost and is back; `contentShareDidStop` when the share has failed.
  ///
  /// While sharing it replaces the source. Without a source, or where the meeting allows no
  /// content, nothing happens.
  func startContentShare(source: ContentShareSource)

  /// Shares with this configuration, whose simulcast has no meaning here.
  func startContentShare(source: ContentShareSource, config: LocalVideoConfiguration)

  /// Ends sharing, or the attempt; `contentShareDidStop` follows. The source is not stopped.
  func stopContentShare()

  /// Adds an observer in any state; it hears what happens from now on.
  func addContentShareObserver(observer: any ContentShareObserver)

  /// Removes an observer. Nothing happens if it was not added.
  func removeContentShareObserver(observer: any ContentShareObserver)
}

/// Hears how the own content share fares. All calls come on main.
public protocol ContentShareObserver: AnyObject {
  /// The others can see it.
  func contentShareDidStart()

  /// The others no longer see it.
  func contentShareDidStop(status: ContentShareStatus)
}

/// What is shared.
public final class ContentShareSource: NSObject {
  /// Gives the pictures; without it nothing is shared.
  public var videoSource: (any VideoSource)?

  public override init() {}
}

/// What an observer is told about the end of a content share.
public final class ContentShareStatus: NSObject, Sendable {
  /// The outcome.
  public let statusCode: ContentShareStatusCode

  /// Makes a status from its code.
  public init(statusCode: ContentShareStatusCode) {
    self.statusCode = statusCode
  }
}

/// How a content share ended.
public enum ContentShareStatusCode: Int, CaseNamed {
  /// The share was stopped.
  case ok = 0
  /// The share failed: it was refused, or its connection was lost for good.
  case videoServiceFailed = 1
}
