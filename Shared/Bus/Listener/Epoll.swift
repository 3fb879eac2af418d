internal import CEpoll
internal import Glibc
internal import ZeroMQ

/// A set of descriptors to wait for (epoll(7)). The caller assigns each descriptor a number.
///
/// An epoll descriptor is readable while one of the descriptors in the set is ready. So a
/// ``ZeroMQ/SocketThread`` waits for the whole set through the epoll descriptor.
@safe struct Epoll: ~Copyable {
  /// The events to report. A hang-up is always reported.
  struct Interest: OptionSet {
    let rawValue: UInt32
    static let read = Interest(rawValue: EPOLLIN.rawValue)
    static let write = Interest(rawValue: EPOLLOUT.rawValue)
  }

  /// A descriptor that is ready.
  struct Event {
    let number: UInt64
    let isReadable: Bool
    let isWritable: Bool

    /// Whether the peer has closed the connection, or the descriptor has an error.
    let isHungUp: Bool
  }

  let descriptor: Int32
  private var room: [epoll_event]

  /// - Parameter count: The maximum number of descriptors that one poll returns.
  /// - Throws: ``ZeroMQ/ZeroMQError`` when the system has no descriptors left.
  init(findingAtMost count: Int) throws(ZeroMQError) {
    unsafe room = unsafe Array(repeating: epoll_event(), count: count)
    descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
    if descriptor < 0 { throw .failed(operation: "Making an epoll descriptor", code: errno) }
  }

  deinit { close(descriptor) }

  /// - Throws: ``ZeroMQ/ZeroMQError`` when the system cannot add the descriptor.
  func add(_ other: Int32, _ number: UInt64, _ interest: Interest) throws(ZeroMQError) {
    guard control(EPOLL_CTL_ADD, other, number, interest) else {
      throw .failed(operation: "Waiting for a descriptor", code: errno)
    }
  }

  func modify(_ other: Int32, _ number: UInt64, _ interest: Interest) {
    let isThere = control(EPOLL_CTL_MOD, other, number, interest)
    precondition(isThere, "epoll_ctl(2) failed with errno \(errno).")
  }

  func remove(_ other: Int32) { _ = control(EPOLL_CTL_DEL, other, 0, []) }

  private func control(
    _ operation: Int32, _ other: Int32, _ number: UInt64, _ interest: Interest
  ) -> Bool {
    var event = unsafe epoll_event(events: interest.rawValue, data: epoll_data(u64: number))
    return unsafe epoll_ctl(descriptor, operation, other, &event) == 0
  }

  /// Fills `ready` with the descriptors that are ready, without waiting.
  mutating func poll(into ready: inout [Event]) {
    ready.removeAll(keepingCapacity: true)
    let count = unsafe epoll_wait(descriptor, &room, Int32(room.count), 0)
    for index in 0..<max(0, Int(count)) {
      let (number, flags) = unsafe (room[index].data.u64, room[index].events)
      ready.append(
        Event(
          number: number, isReadable: flags & EPOLLIN.rawValue != 0,
          isWritable: flags & EPOLLOUT.rawValue != 0,
          isHungUp: flags & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0))
    }
  }
}
