internal import CZeroMQ
internal import Glibc

/// The id of a watch of a ``SocketThread``.
public struct PollWatchID: Hashable, Sendable {
  let number: UInt64
}

/// The sockets and descriptors that a thread polls, with the handlers to call when these sockets
/// and descriptors are readable.
///
/// A socket's own descriptor (`ZMQ_FD` of zmq_getsockopt(3)) becomes readable when libzmq has
/// events for the socket. The descriptor remains readable only until the socket has processed these
/// events. Any call on the socket can process the events. So the set looks for messages of a socket
/// only in two cases. Either the descriptor is readable, or a call has used the socket since the
/// set found the socket empty. zmq_poll(3), in contrast, checks each socket twice.
@safe struct PollSet {
  private struct Watch {
    let number: UInt64
    let socket: WatchedSocket?
    let onReadable: () -> Void
  }

  // The two arrays have the same order. They are separate, because poll(2) needs a plain array of
  // descriptors.
  private var descriptors: [pollfd] = []
  private var watches: [Watch] = []
  private var nextNumber: UInt64 = 1

  var count: Int { watches.count }

  /// Adds a socket. Its handle remains valid, because a watched socket refuses to close.
  mutating func add(
    _ socket: borrowing Socket, _ onReadable: @escaping () -> Void
  ) -> PollWatchID {
    socket.state.watchCount += 1
    socket.state.mayHaveEvents = true
    let watched = WatchedSocket(socket)
    return append(watched.descriptor, socket: watched, onReadable)
  }

  mutating func add(
    fileDescriptor: Int32, _ onReadable: @escaping () -> Void
  ) -> PollWatchID {
    append(fileDescriptor, socket: nil, onReadable)
  }

  private mutating func append(
    _ descriptor: Int32, socket: WatchedSocket?, _ onReadable: @escaping () -> Void
  ) -> PollWatchID {
    let number = nextNumber
    nextNumber += 1
    descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
    watches.append(Watch(number: number, socket: socket, onReadable: onReadable))
    return PollWatchID(number: number)
  }

  /// Ends a watch.
  ///
  /// - Returns: The handler; `nil` when there is no such watch. The release of a handler can run
  ///   any code, so the caller releases the handler when nothing is changing the set.
  mutating func remove(_ id: PollWatchID) -> (() -> Void)? {
    guard let index = watches.firstIndex(where: { $0.number == id.number }) else { return nil }
    let watch = watches.remove(at: index)
    descriptors.remove(at: index)
    watch.socket?.state.watchCount -= 1
    return watch.onReadable
  }

  /// Ends all watches, and returns their handlers.
  mutating func removeAll() -> [() -> Void] {
    let handlers = watches.map(\.onReadable)
    for watch in watches { watch.socket?.state.watchCount -= 1 }
    watches.removeAll()
    descriptors.removeAll()
    return handlers
  }

  /// Returns the handler of a watch; `nil` if the watch has ended.
  func handler(of id: PollWatchID) -> (() -> Void)? {
    watches.first { $0.number == id.number }?.onReadable
  }

  /// Waits until something is readable, and lists the readable watches in `ready`, in the order of
  /// the watches.
  ///
  /// - Parameter timeout: The longest wait. If the timeout is zero, the call does not wait. If the
  ///   timeout is `nil`, the call waits without a limit.
  mutating func poll(timeout: Duration?, into ready: inout [PollWatchID]) {
    ready.removeAll(keepingCapacity: true)
    let isReady = askUsedSockets()
    let timeout = isReady ? 0 : timeout.map { max(0, $0.nanoseconds) } ?? -1
    let count = unsafe czmq_poll(&descriptors, UInt(descriptors.count), timeout)
    if count < 0 {
      precondition(errno == EINTR, "poll(2) failed with errno \(errno).")
      for index in descriptors.indices { descriptors[index].revents = 0 }
    }
    guard count > 0 || isReady else { return }
    for index in watches.indices where isReadable(index) {
      ready.append(PollWatchID(number: watches[index].number))
    }
  }

  /// Checks the sockets whose descriptors may not signal their messages.
  ///
  /// - Returns: Whether messages wait on any of these sockets.
  private func askUsedSockets() -> Bool {
    var isReady = false
    for watch in watches {
      if let socket = watch.socket, socket.state.mayHaveEvents, socket.hasMessages() {
        isReady = true
      }
    }
    return isReady
  }

  /// Returns whether poll(2) found the descriptor readable, or whether the socket has messages.
  private func isReadable(_ index: Int) -> Bool {
    let isDescriptorReadable = descriptors[index].revents != 0
    guard let socket = watches[index].socket else { return isDescriptorReadable }
    return isDescriptorReadable ? socket.hasMessages() : socket.state.mayHaveEvents
  }
}
