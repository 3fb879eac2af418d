internal import CZeroMQ
internal import Glibc

/// Names a watch of a ``SocketThread``.
public struct WatchID: Hashable, Sendable {
  let number: UInt64
}

/// The sockets and descriptors a thread polls, and what to call when one is readable.
@safe struct PollSet {
  private struct Watch {
    let number: UInt64
    let state: SocketState?
    let onReadable: () -> Void
  }

  // Two arrays with the same order: libzmq wants the first one bare.
  private var items: [zmq_pollitem_t] = unsafe []
  private var watches: [Watch] = []
  private var nextNumber: UInt64 = 1

  var count: Int { watches.count }

  /// Adds a socket. Its handle stays valid because a socket that is watched refuses to close.
  mutating func add(
    _ socket: borrowing Socket, _ onReadable: @escaping () -> Void
  ) -> WatchID {
    socket.state.watchCount += 1
    let item = unsafe zmq_pollitem_t(
      socket: socket.handle, fd: 0, events: Int16(ZMQ_POLLIN), revents: 0)
    return unsafe append(item, state: socket.state, onReadable)
  }

  mutating func add(
    fileDescriptor: Int32, _ onReadable: @escaping () -> Void
  ) -> WatchID {
    let item = unsafe zmq_pollitem_t(
      socket: nil, fd: fileDescriptor, events: Int16(ZMQ_POLLIN), revents: 0)
    return unsafe append(item, state: nil, onReadable)
  }

  private mutating func append(
    _ item: zmq_pollitem_t, state: SocketState?, _ onReadable: @escaping () -> Void
  ) -> WatchID {
    let number = nextNumber
    nextNumber += 1
    unsafe items.append(item)
    watches.append(Watch(number: number, state: state, onReadable: onReadable))
    return WatchID(number: number)
  }

  /// Ends a watch.
  ///
  /// - Returns: Its handler, `nil` when there is no such watch. Releasing a handler can run any
  ///   code, so the caller does it when the set is not being changed.
  mutating func remove(_ id: WatchID) -> (() -> Void)? {
    guard let index = watches.firstIndex(where: { $0.number == id.number }) else { return nil }
    let watch = watches.remove(at: index)
    unsafe items.remove(at: index)
    watch.state?.watchCount -= 1
    return watch.onReadable
  }

  /// Ends all watches and returns their handlers.
  mutating func removeAll() -> [() -> Void] {
    let handlers = watches.map(\.onReadable)
    for watch in watches { watch.state?.watchCount -= 1 }
    watches.removeAll()
    unsafe items.removeAll()
    return handlers
  }

  /// What to call for a watch, while it exists.
  func handler(of id: WatchID) -> (() -> Void)? {
    watches.first { $0.number == id.number }?.onReadable
  }

  /// Waits until something is readable and names it in `ready`.
  ///
  /// - Parameter timeout: In milliseconds; 0 only looks, -1 waits for ever.
  mutating func poll(timeout: Int, into ready: inout [WatchID]) {
    ready.removeAll(keepingCapacity: true)
    let count = unsafe zmq_poll(&items, Int32(items.count), timeout)
    guard count >= 0 else {
      let code = zmq_errno()
      precondition(
        code == EINTR,
        "zmq_poll: \(unsafe String(cString: zmq_strerror(code))); close a "
          + "descriptor or a socket only after its watch ended.")
      return
    }
    guard count > 0 else { return }
    for index in watches.indices where unsafe items[index].revents != 0 {
      ready.append(WatchID(number: watches[index].number))
    }
  }
}
