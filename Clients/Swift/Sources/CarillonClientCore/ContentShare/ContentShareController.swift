public import Foundation

/// The calls that share content, such as a screen, as a second video. These calls do not require a
/// started session.
public protocol ContentShareController: AnyObject, Sendable {
  /// Shares content with the default configuration.
  ///
  /// `contentShareDidStart` follows when the share has started, and again after each restored
  /// connection. `contentShareDidStop` follows when the share fails. During a share, the call
  /// replaces the source. The call has no effect if `source` contains no video source, or if the
  /// meeting allows no content.
  func startContentShare(source: ContentShareSource)

  /// Shares content with a configuration. The simulcast setting of the configuration has no effect.
  func startContentShare(source: ContentShareSource, config: LocalVideoConfiguration)

  /// Stops the share, or the attempt to share. `contentShareDidStop` follows. The call does not
  /// stop the source.
  func stopContentShare()

  /// Adds an observer, in any state. The observer receives all later events.
  func addContentShareObserver(observer: any ContentShareObserver)

  /// Removes an observer. Has no effect if the application has not added the observer.
  func removeContentShareObserver(observer: any ContentShareObserver)
}

/// An observer of the local content share. The library makes all calls on the main thread.
public protocol ContentShareObserver: AnyObject {
  /// The content share has started: other attendees can receive it.
  func contentShareDidStart()

  /// The content share has stopped.
  func contentShareDidStop(status: ContentShareStatus)
}

/// The source of a content share.
public final class ContentShareSource: NSObject {
  /// The source of the frames. Without a source, the session shares nothing.
  public var videoSource: (any VideoSource)?

  public override init() {}
}

/// The outcome of a content share, as reported to observers.
public final class ContentShareStatus: NSObject, Sendable {
  /// The code of the outcome.
  public let statusCode: ContentShareStatusCode

  /// Creates a status from its code.
  public init(statusCode: ContentShareStatusCode) {
    self.statusCode = statusCode
  }
}

/// The reasons for the end of a content share.
public enum ContentShareStatusCode: Int, CaseNamed {
  /// The application stopped the share.
  case ok = 0
  /// The share failed: the server rejected the share, or the share lost its connection and could
  /// not reconnect.
  case videoServiceFailed = 1
}
