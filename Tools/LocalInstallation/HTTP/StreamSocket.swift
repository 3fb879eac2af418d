internal import Glibc
internal import Output

/// A connected stream socket whose calls block until a deadline at most, except in name resolution.
package struct StreamSocket: ~Copyable {
  private let descriptor: Int32

  /// Connects to an address.
  ///
  /// - Throws: ``HTTPError/cannotConnect(_:)``, ``HTTPError/timedOut``.
  package init(
    connectingTo address: HTTPAddress, deadline: ContinuousClock.Instant
  ) throws(HTTPError) {
    switch address {
    case .unixSocket(let path):
      descriptor = try Self.connect(toPath: path)
    case .tcp(let host, let port):
      descriptor = try Self.connect(to: host, port: port, deadline: deadline)
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

  /// Receives more bytes; returns `nil` when the peer has closed its side.
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

  private static func connect(toPath path: String) throws(HTTPError) -> Int32 {
    let socket = try open(family: AF_UNIX)
    let code = unsafe UnixAddress.withAddress(of: path) { address, length in
      unsafe Glibc.connect(socket, address, length)
    }
    guard code == 0 else {
      let reason = code == nil ? "the path is too long" : "errno \(errno)"
      close(socket)
      throw .cannotConnect("\(path): \(reason)")
    }
    return socket
  }

  private static func connect(
    to host: String, port: UInt16, deadline: ContinuousClock.Instant
  ) throws(HTTPError) -> Int32 {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(host, "\(port)", &hints, &list) == 0 else {
      throw .cannotConnect("\(host) has no address")
    }
    defer { unsafe freeaddrinfo(list) }
    var failure = HTTPError.cannotConnect("\(host) has no address")
    var next = unsafe list
    while let candidate = unsafe next {
      unsafe next = unsafe candidate.pointee.ai_next
      let socket = try open(family: unsafe candidate.pointee.ai_family)
      do throws(HTTPError) {
        let code = unsafe Glibc.connect(
          socket, candidate.pointee.ai_addr, candidate.pointee.ai_addrlen)
        if code != 0 { try finishConnecting(socket, errno, "\(host):\(port)", deadline) }
        return socket
      } catch {
        close(socket)
        failure = error
      }
    }
    throw failure
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
