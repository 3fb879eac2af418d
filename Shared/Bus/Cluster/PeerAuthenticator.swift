public import ZeroMQ

/// The authenticator of a context. The authenticator decides for libzmq whether to admit a peer
/// that has proved its key (27/ZAP).
///
/// Without an authenticator, libzmq admits no peer.
public actor PeerAuthenticator {
  private let admission: KeyAdmission
  private let context: ZMQContext
  private let thread: SocketThread
  private var door: ZAPSocket?

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Makes an authenticator without opening a socket.
  ///
  /// - Parameter thread: A separate thread, so that connecting peers do not delay a service.
  public init(_ admission: KeyAdmission, in context: ZMQContext, on thread: SocketThread) {
    (self.admission, self.context, self.thread) = (admission, context, thread)
  }

  isolated deinit { assert(door == nil, "Close the authenticator before releasing it.") }

  /// Starts to answer libzmq's requests.
  ///
  /// - Throws: ``ZeroMQ/ZeroMQError`` if this context already has an authenticator.
  public func open() throws(ZeroMQError) {
    door = try ZAPSocket(admission, in: context, on: thread)
  }

  /// Stops answering libzmq's requests.
  public func close() {
    door?.close()
    door = nil
  }
}
