public import MeetingModel
public import Wire

/// An observer that counts the events of a socket.
///
/// Every process that can reach the socket's path can cause these events. The socket calls all
/// methods on its thread.
public protocol SocketEventObserver: AnyObject {
  /// Called when invalid bytes arrived, or when the server rejected a request before the request
  /// reached its handler.
  func requestWasRejected(_ reason: RequestRejectionReason)

  /// Called for each event of a connection.
  func connectionDidChange(_ event: ConnectionEvent)
}

/// An observer that counts a server's calls. The server calls all methods on its thread.
public protocol RequestObserver: SocketEventObserver {
  /// Called when the server has answered a call.
  func requestDidFinish(_ method: MethodDescription, _ code: StatusCode, after: Duration)

  /// Called when the server could not deliver a reply or an item because the connection has closed.
  func replyWasUndeliverable()
}

extension SocketEventObserver {
  /// Ignores events of connections by default.
  public func connectionDidChange(_ event: ConnectionEvent) {}
}

/// The reason why a request never reached a handler.
public enum RequestRejectionReason: String, Sendable, CaseIterable {
  /// The bytes are not a valid request.
  case malformed
  /// The request has a major version that the server does not support.
  case unsupportedVersion = "unsupported_version"
  /// No method has this key.
  case unknownMethod = "unknown_method"
  /// The session is unknown, or the request arrived on a connection that the session does not own.
  case unauthorized
  /// The connection has too many open calls.
  case overloaded
  /// The server is about to stop.
  case draining
}
