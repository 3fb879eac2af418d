internal import Glibc
internal import Output

/// A connected stream socket whose calls block at most until a deadline.
package struct DeadlineStreamSocket: ~Copyable {
  private let descriptor: Int32

  /// Connects to an address.
  ///
  /// - Throws: ``HTTPError/cannotConnect(_:)`` or ``HTTPError/timedOut``.
  package init(
    connectingTo address: HTTPAddress, deadline: ContinuousClock.Instant
  ) throws(HTTPError) {
    try self.init(connectingTo: address, deadline: deadline, resolver: .system)
  }

  init(
    connectingTo address: HTTPAddress, deadline: ContinuousClock.Instant, resolver: HostResolver
  ) throws(HTTPError) {
    switch address {
    case .unixSocket(let path):
      descriptor = try Self.connect(toPath: path, deadline: deadline)
    case .tcp(let host, let port):
      let addresses = try resolver.addresses(of: host, port: port, deadline: deadline)
      descriptor = try Self.connect(to: addresses, named: "\(host):\(port)", deadline: deadline)
    }
  }

  deinit { close(descriptor) }

  /// Sends all bytes.
  package borrowing func send(
    _ bytes: [UInt8], deadline: ContinuousClock.Instant
  ) throws(HTTPError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { rest in
        unsafe Glibc.send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        try Self.wait(for: POLLOUT, on: descriptor, until: deadline)
      } else if errno != EINTR {
        throw .connectionLost
      }
    }
  }

  /// Receives more bytes.
  ///
  /// - Returns: The bytes; `nil` when the peer has closed its side.
  package borrowing func receive(deadline: ContinuousClock.Instant) throws(HTTPError) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
      if count > 0 { return Array(bytes[..<count]) }
      if count == 0 { return nil }
      switch errno {
      case EINTR: continue
      case EAGAIN: try Self.wait(for: POLLIN, on: descriptor, until: deadline)
      default: throw .connectionLost
      }
    }
  }

  // MARK: - Connecting

  /// The interval between attempts to connect while the listener's backlog is full, in
  /// microseconds.
  private static let retryMicroseconds: UInt32 = 10_000

  private static func connect(
    toPath path: String, deadline: ContinuousClock.Instant
  ) throws(HTTPError) -> Int32 {
    let socket = try open(family: AF_UNIX)
    do throws(HTTPError) {
      // EAGAIN means that the listener's backlog is full, and poll(2) does not report when the
      // backlog has room again.
      while let code = try attempt(socket, toPath: path) {
        guard code == EAGAIN else { throw .cannotConnect("\(path): errno \(code)") }
        guard ContinuousClock.now < deadline else { throw .timedOut }
        usleep(retryMicroseconds)
      }
      return socket
    } catch {
      close(socket)
      throw error
    }
  }

  /// Returns the error number of connect(2), or `nil` when the socket is connected.
  private static func attempt(_ socket: Int32, toPath path: String) throws(HTTPError) -> Int32? {
    let code: Int32?? = unsafe UnixAddress.withAddress(of: path) { address, length in
      unsafe Glibc.connect(socket, address, length) == 0 ? nil : .some(errno)
    }
    guard let code else { throw .cannotConnect("\(path): the path is too long") }
    return code
  }

  /// Connects to the first address that accepts the connection.
  ///
  /// Each address may use only its share of the remaining time, so that an address that never
  /// answers leaves time for the other addresses.
  private static func connect(
    to addresses: [HostAddress], named name: String, deadline: ContinuousClock.Instant
  ) throws(HTTPError) -> Int32 {
    var failure = HTTPError.timedOut
    for (index, address) in addresses.enumerated() {
      let now = ContinuousClock.now
      let share = (deadline - now) / (addresses.count - index)
      do throws(HTTPError) {
        return try connect(to: address, named: name, deadline: now + share)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private static func connect(
    to address: HostAddress, named name: String, deadline: ContinuousClock.Instant
  ) throws(HTTPError) -> Int32 {
    let socket = try open(family: address.family)
    do throws(HTTPError) {
      let code = unsafe address.bytes.withUnsafeBytes { bytes in
        unsafe Glibc.connect(
          socket, bytes.assumingMemoryBound(to: sockaddr.self).baseAddress, socklen_t(bytes.count))
      }
      if code != 0 { try finishConnecting(socket, errno, name, deadline) }
      return socket
    } catch {
      close(socket)
      throw error
    }
  }

  private static func finishConnecting(
    _ socket: Int32, _ code: Int32, _ name: String, _ deadline: ContinuousClock.Instant
  ) throws(HTTPError) {
    guard code == EINPROGRESS else { throw .cannotConnect("\(name): errno \(code)") }
    try wait(for: POLLOUT, on: socket, until: deadline)
    var outcome: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    unsafe getsockopt(socket, SOL_SOCKET, SO_ERROR, &outcome, &length)
    guard outcome == 0 else { throw .cannotConnect("\(name): errno \(outcome)") }
  }

  private static func open(family: Int32) throws(HTTPError) -> Int32 {
    let kind = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let socket = Glibc.socket(family, Int32(kind), 0)
    guard socket >= 0 else { throw .cannotConnect("errno \(errno)") }
    return socket
  }

  private static func wait(
    for events: Int32, on descriptor: Int32, until deadline: ContinuousClock.Instant
  ) throws(HTTPError) {
    while true {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { throw .timedOut }
      let milliseconds = left.milliseconds + 1
      var polled = pollfd(fd: descriptor, events: Int16(events), revents: 0)
      if unsafe poll(&polled, 1, Int32(clamping: milliseconds)) > 0 { return }
    }
  }
}
