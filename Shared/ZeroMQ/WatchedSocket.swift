internal import CZeroMQ

/// The part of a socket that a ``PollSet`` keeps. The socket cannot close while the set watches the
/// socket.
@safe struct WatchedSocket {
  /// The descriptor, readable when libzmq has events for the socket.
  let descriptor: Int32
  let state: ZMQSocketState
  private let handle: UnsafeMutableRawPointer

  init(_ socket: borrowing Socket) {
    state = socket.state
    unsafe handle = socket.handle
    var descriptor: Int32 = -1
    var size = MemoryLayout<Int32>.size
    let code = unsafe zmq_getsockopt(socket.handle, ZMQ_FD, &descriptor, &size)
    precondition(code == 0, Self.failure("ZMQ_FD"))
    self.descriptor = descriptor
  }

  /// Processes the socket's events, and returns whether a message waits.
  func hasMessages() -> Bool {
    var events: Int32 = 0
    var size = MemoryLayout<Int32>.size
    while unsafe zmq_getsockopt(handle, ZMQ_EVENTS, &events, &size) != 0 {
      precondition(zmq_errno() == EINTR, Self.failure("ZMQ_EVENTS"))
    }
    state.mayHaveEvents = events & ZMQ_POLLIN != 0
    return state.mayHaveEvents
  }

  private static func failure(_ option: String) -> String {
    "Asking for \(option): \(unsafe String(cString: zmq_strerror(zmq_errno()))); end a context "
      + "only after its sockets are closed."
  }
}
