public import MeetingModel
public import Wire

/// Hears what peers do to a socket that anybody with its path can reach, to count it. Called on the
/// socket's thread.
public protocol ConnectionObserver: AnyObject {
  /// Bytes arrived that are no request, or a request that was turned away before its handler.
  func requestWasRejected(_ reason: RejectedRequest)

  /// A peer came or went.
  func connectionDidChange(_ event: ConnectionEvent)
}

/// Hears what a server does, to count it. Called on the server's thread.
public protocol RequestObserver: ConnectionObserver {
  /// A call was answered.
  func requestDidFinish(_ method: MethodDescription, _ code: StatusCode, after: Duration)

  /// A reply or an item could not be delivered: its connection is gone.
  func replyWasUndeliverable()
}

extension ConnectionObserver {
  /// Not everybody counts connections.
  public func connectionDidChange(_ event: ConnectionEvent) {}
}

/// Why a request never reached a handler.
public enum RejectedRequest: String, Sendable, CaseIterable {
  /// The bytes are no request.
  case malformed
  /// The request has a major version that is not served.
  case unsupportedVersion = "unsupported_version"
  /// No method has this key.
  case unknownMethod = "unknown_method"
  /// The session is unknown, or the request came by another connection than its own.
  case unauthorized
  /// The connection has too many open calls.
  case overloaded
  /// The server is about to stop.
  case draining
}
