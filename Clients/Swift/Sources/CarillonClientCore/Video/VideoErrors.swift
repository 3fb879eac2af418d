/// The reasons why the video session failed.
public enum VideoClientFailedError: Int, Error, CaseNamed {
  /// The server rejected the credentials.
  case authenticationFailed
  /// The library could not create the connection for media.
  case peerConnectionCreateFailed
  /// The session lost the connection, and the library could not restore the connection before the
  /// timeout.
  case maxRetryPeriodExceeded
  /// Any other cause.
  case other
}

/// The reasons for a loss of video signaling.
public enum SignalingDroppedError: Int, Error, CaseNamed {
  /// The library knows no cause.
  case none
  /// The client lost the connection.
  case signalingClientDisconnected
  /// The server closed the connection.
  case signalingClientClosed
  /// The connection ended in the middle of a message.
  case signalingClientEOF
  /// The client's end of the connection failed.
  case signalingClientError
  /// A proxy between the client and the server failed.
  case signalingClientProxyError
  /// The library could not open the connection.
  case signalingClientOpenFailed
  /// The library could not read a message of the server.
  case signalFrameParseFailed
  /// The library could not encode a message to the server.
  case signalFrameSerializeFailed
  /// The library could not send a message to the server.
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
