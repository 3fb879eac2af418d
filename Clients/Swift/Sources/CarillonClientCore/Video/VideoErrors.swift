/// The reasons why the video session failed.
public enum VideoClientFailedError: Int, Error, CaseNamed {
  /// The credentials were rejected.
  case authenticationFailed
  /// The connection for media could not be created.
  case peerConnectionCreateFailed
  /// The connection was lost and was not restored before the timeout.
  case maxRetryPeriodExceeded
  /// Any other cause.
  case other
}

/// The reasons why video signaling was lost.
public enum SignalingDroppedError: Int, Error, CaseNamed {
  /// No cause is known.
  case none
  /// The connection was lost.
  case signalingClientDisconnected
  /// The server closed the connection.
  case signalingClientClosed
  /// The connection ended in the middle of a message.
  case signalingClientEOF
  /// The client's end of the connection failed.
  case signalingClientError
  /// A proxy between the client and the server failed.
  case signalingClientProxyError
  /// The connection could not be opened.
  case signalingClientOpenFailed
  /// A message of the server could not be read.
  case signalFrameParseFailed
  /// A message to the server could not be written.
  case signalFrameSerializeFailed
  /// A message to the server could not be sent.
  case signalFrameSendingFailed
  /// The server failed.
  case internalServerError
  /// Any other cause.
  case other
}

/// A resource of the library is missing.
public enum ResourceError: Int, Error, CaseNamed {
  /// The resource is not in the library's directory.
  case notFound
}
