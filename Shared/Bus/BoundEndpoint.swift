internal import Glibc
internal import ZeroMQ

/// An endpoint that a socket accepts peers at, locked so that no second process steals it.
struct BoundEndpoint {
  private let lock: EndpointLock

  /// Locks the endpoint and binds the socket to it.
  init(_ endpoint: Endpoint, of socket: borrowing Socket) throws(ZeroMQError) {
    lock = try EndpointLock(endpoint)
    try socket.bind(to: endpoint)
  }

  /// Accepts no more peers and gives the lock back; connections stay.
  ///
  /// libzmq removes an ipc path on its own thread, some time after it was told to. Whoever bound the
  /// path before would lose it then, so the lock is kept until it is gone: for microseconds.
  func release(_ socket: borrowing Socket) {
    if case .ipc(let path) = lock.endpoint.transport {
      try? socket.unbind(from: lock.endpoint)
      let limit = ContinuousClock.now + Self.longestWait
      while unsafe access(path, F_OK) == 0, ContinuousClock.now < limit { sched_yield() }
    }
    lock.unlock()
  }

  private static let longestWait = Duration.milliseconds(200)
}
