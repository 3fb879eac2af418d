public import Foundation

/// What an observer is told about the end of a content share.
public final class ContentShareStatus: NSObject, Sendable {
  /// The outcome.
  public let statusCode: ContentShareStatusCode

  public init(statusCode: ContentShareStatusCode) {
    self.statusCode = statusCode
  }
}
