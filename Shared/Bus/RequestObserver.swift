public import MeetingModel
public import Wire

/// An observer that counts events of a socket that anybody with its path can reach.
///
/// Called on the socket's thread.
public protocol ConnectionObserver: AnyObject {
  /// Called when invalid bytes arrived, or a request was rejected before its handler.
  func requestWasRejected(_ reason: RejectedRequest)

  /// Called for each event of a connection.
  func connectionDidChange(_ event: ConnectionEvent)
}

/// An observer that counts a server's calls. Called on the server's thread.
public protocol RequestObserver: ConnectionObserver {
  /// Called when a call was answered.
  func requestDidFinish(_ method: MethodDescription, _ code: StatusCode, after: Duration)

  /// Called when a reply or an item could not be delivered because its connection is gone.
  func replyWasUndeliverable()
}

extension ConnectionObserver {
  /// Ignores events of connections by default.
  public func connectionDidChange(_ event: ConnectionEvent) {}
}

/// The reason why a request never reached a handler.
public enum RejectedRequest: String, Sendable, CaseIterable {
  /// The bytes are not a valid request.
  case malformed
  /// The request has a major version that is not served.
  case unsupportedVersion = "unsupported_version"
  /// No method has this key.
  case unknownMethod = "unknown_method"
  /// The session is unknown, or the request arrived on another connection than its own.
  case unauthorized
  /// The connection has too many open calls.
  case overloaded
  /// The server is about to stop.
  case draining
}
