public import Foundation

/// What an observer is told about the outcome of a step of the session.
public final class MeetingSessionStatus: NSObject, Sendable {
  /// The outcome.
  public let statusCode: MeetingSessionStatusCode

  public init(statusCode: MeetingSessionStatusCode) {
    self.statusCode = statusCode
  }
}
