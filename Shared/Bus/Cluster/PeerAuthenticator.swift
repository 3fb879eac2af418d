public import ZeroMQ

/// Answers libzmq, for all sockets of a context, whether a peer that has proved who it is may come
/// in (27/ZAP). Without it nobody comes in.
public actor PeerAuthenticator {
  private let admission: KeyAdmission
  private let context: Context
  private let thread: SocketThread
  private var door: ZAPSocket?

  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Opens nothing yet.
  ///
  /// - Parameter thread: Its own, so that nobody who comes keeps a service from its work.
  public init(_ admission: KeyAdmission, in context: Context, on thread: SocketThread) {
    (self.admission, self.context, self.thread) = (admission, context, thread)
  }

  isolated deinit { assert(door == nil, "Close the authenticator before releasing it.") }

  /// Answers from now on.
  ///
  /// - Throws: ``ZeroMQ/ZeroMQError`` if somebody else answers in this context.
  public func open() throws(ZeroMQError) {
    door = try ZAPSocket(admission, in: context, on: thread)
  }

  /// Answers no more.
  public func close() {
    door?.close()
    door = nil
  }
}
