internal import CZeroMQ
internal import Synchronization

/// A libzmq context: the I/O threads that all sockets of a process share.
///
/// A process needs one context; several contexts with CURVE can crash libzmq 4.3.4. Sockets retain
/// their context. The release of the last reference terminates the context. The termination waits
/// for lingering messages, at most as long as ``SocketOption/linger(_:)`` allows.
@safe public final class ZMQContext: Sendable {
  // Sendable because any thread may use a context handle (zmq_ctx_new(3)).
  nonisolated(unsafe) private let handle: UnsafeMutableRawPointer
  private let isTerminated = Atomic(false)

  /// The keys by which the context's sockets authenticate at encrypted endpoints; `nil` if each
  /// connection uses new keys.
  public let identity: CurveKeyPair?

  /// Creates a context, whose threads start with the first socket.
  ///
  /// - Parameters:
  ///   - ioThreads: The number of I/O threads, 1 or more. One thread suffices for about 1 GB/s.
  ///   - maxSockets: The maximum number of open sockets, monitors included; libzmq's default is
  ///     1023.
  ///   - identity: The keys of the context's sockets at encrypted endpoints.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when libzmq refuses a number.
  public init(
    ioThreads: Int = 1, maxSockets: Int = 65_536, identity: CurveKeyPair? = nil
  ) throws(ZeroMQError) {
    guard let handle = unsafe zmq_ctx_new() else {
      throw ZeroMQError.failed(operation: "Making a context", code: zmq_errno())
    }
    let settings = [
      (option: ZMQ_IO_THREADS, value: ioThreads), (option: ZMQ_MAX_SOCKETS, value: maxSockets),
    ]
    for (option, value) in settings
    where unsafe zmq_ctx_set(handle, option, Int32(clamping: value)) != 0 {
      let code = zmq_errno()
      _ = unsafe zmq_ctx_term(handle)
      throw ZeroMQError.failed(
        operation: "Making a context with \(ioThreads) I/O threads and \(maxSockets) sockets",
        code: code)
    }
    // A libzmq version without this option also works.
    _ = unsafe zmq_ctx_set(handle, Self.zeroCopyReceive, 0)
    unsafe self.handle = unsafe handle
    self.identity = identity
  }

  /// The option `ZMQ_ZERO_COPY_RECV`. Debian's header hides this option as a draft, but Debian's
  /// library supports it.
  ///
  /// By default, a message of more than 33 bytes points into the 18 KB buffer of its connection.
  /// The message keeps that buffer alive, so the next bytes need a new buffer. libzmq also writes
  /// reference counts to a page after the buffer. Carillon's messages are small: copying them saves
  /// 4 KB of memory for each client of a gateway.
  private static let zeroCopyReceive: Int32 = 10

  deinit { terminate() }

  /// Waits until libzmq has sent the messages of closed sockets, at most for the linger time of
  /// these sockets.
  ///
  /// Call this method before the program exits, because the exit releases nothing and would discard
  /// the last messages to clients. Close all sockets first. Afterwards, the context creates no
  /// sockets. The call blocks the calling thread, and further calls do nothing.
  public func terminate() {
    guard !isTerminated.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // A signal can interrupt zmq_ctx_term(3). This loop repeats an interrupted call.
    while unsafe zmq_ctx_term(handle) != 0, zmq_errno() == EINTR {}
  }

  /// Returns a new socket handle of a libzmq socket type. The caller must close the handle.
  func makeHandle(type: Int32) throws(ZeroMQError) -> UnsafeMutableRawPointer {
    guard !isTerminated.load(ordering: .acquiring) else {
      throw ZeroMQError.failed(operation: "Opening a socket", code: czmq_terminated())
    }
    guard let socket = unsafe zmq_socket(handle, type) else {
      throw ZeroMQError.failed(operation: "Opening a socket", code: zmq_errno())
    }
    return unsafe socket
  }
}
