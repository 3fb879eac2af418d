internal import CZeroMQ
internal import Synchronization

/// A libzmq context: the I/O threads that all sockets of a process share.
///
/// One process needs one context; several with CURVE can crash libzmq 4.3.4. Sockets keep their
/// context alive. When the last reference goes, the context is terminated, which waits for
/// messages that still linger: at most as long as ``SocketOption/linger(_:)`` allows.
@safe public final class Context: Sendable {
  // Sendable because a context handle may be used from any thread (zmq_ctx_new(3)).
  nonisolated(unsafe) private let handle: UnsafeMutableRawPointer
  private let isTerminated = Atomic(false)

  /// Who its sockets are to whoever they connect to at an encrypted endpoint; `nil`: somebody new
  /// with each connection.
  public let identity: SocketKeyPair?

  /// Makes a context. Its threads start with the first socket.
  ///
  /// - Parameters:
  ///   - ioThreads: Threads that move bytes, 1 or more. One is enough for about 1 GB/s.
  ///   - maxSockets: Most sockets open at once, monitors included; libzmq's default is 1023.
  ///   - identity: Who its sockets are to those who serve encrypted endpoints.
  /// - Throws: ``ZeroMQError/failed(operation:code:)`` when libzmq refuses a number.
  public init(
    ioThreads: Int = 1, maxSockets: Int = 65_536, identity: SocketKeyPair? = nil
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
    // A libzmq that does not know it goes without.
    _ = unsafe zmq_ctx_set(handle, Self.zeroCopyReceive, 0)
    unsafe self.handle = unsafe handle
    self.identity = identity
  }

  /// `ZMQ_ZERO_COPY_RECV`, which Debian's header hides as a draft and its library heeds.
  ///
  /// By default a message of more than 33 bytes points into the 18 KB buffer of its connection:
  /// that is held as long as the message, another one is made for the next bytes, and a page of
  /// reference counts behind it is touched. Messages here are small; copied out of it they cost 4
  /// KB less memory for each client of a gateway.
  private static let zeroCopyReceive: Int32 = 10

  deinit { terminate() }

  /// Waits until what closed sockets had left to send is sent, at most as long as they linger.
  ///
  /// A program that is about to exit calls it, because exiting releases nothing: the last words to
  /// clients would stay in the process. All sockets are closed before; afterwards the context makes
  /// no sockets any more. Blocks the calling thread. Calling it again does nothing.
  public func terminate() {
    guard !isTerminated.exchange(true, ordering: .acquiringAndReleasing) else { return }
    // zmq_ctx_term(3) can be interrupted by a signal and must then be called again.
    while unsafe zmq_ctx_term(handle) != 0, zmq_errno() == EINTR {}
  }

  /// A new socket handle of a libzmq socket type; the caller closes it.
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
