internal import Glibc
internal import ZeroMQ

/// A listening socket: a Unix socket or a tcp port.
final class ListeningSocket {
  /// The endpoint. It contains the port that the system chose.
  let endpoint: Endpoint
  let descriptor: Int32

  /// Whether peers may be on another machine.
  var isRemote: Bool { if case .tcp = endpoint.transport { true } else { false } }

  private let lock: EndpointLock

  /// - Throws: ``ZeroMQ/ZeroMQError`` when the endpoint is in use, or when this process cannot bind
  ///   the endpoint.
  init(at endpoint: Endpoint, backlog: Int) throws(ZeroMQError) {
    lock = try EndpointLock(endpoint)
    let address: SocketAddress
    switch endpoint.transport {
    case .ipc(let path):
      // An earlier process may have left this file. That process has ended, because the present
      // process has the lock.
      unsafe unlink(path)
      address = SocketAddress(path: path)
    case .tcp(let host, let port): address = try Self.resolve(host, port, for: endpoint)
    case .inproc: throw .endpointFailed(endpoint, operation: "Binding", code: EPROTONOSUPPORT)
    }
    descriptor = try Self.open(address.family, at: endpoint)
    let code = Self.bind(descriptor, to: address, backlog: backlog)
    guard code == 0 else {
      Glibc.close(descriptor)
      throw code == EADDRINUSE
        ? .endpointInUse(endpoint)
        : .endpointFailed(endpoint, operation: "Binding", code: code)
    }
    if case .tcp(let host, _) = endpoint.transport,
      let port = SocketAddress(ofSocket: descriptor).port
    {
      self.endpoint = try .tcp(host: host, port: Int(port))
    } else {
      self.endpoint = endpoint
    }
  }

  private static func open(_ family: Int32, at endpoint: Endpoint) throws(ZeroMQError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(family, kind, 0)
    guard descriptor >= 0 else {
      throw .endpointFailed(endpoint, operation: "Binding", code: errno)
    }
    return descriptor
  }

  /// - Returns: 0, or the errno(3) of the failure.
  private static func bind(
    _ descriptor: Int32, to address: SocketAddress, backlog: Int
  ) -> Int32 {
    if address.family != AF_UNIX { setOption(SOL_SOCKET, SO_REUSEADDR, of: descriptor) }
    guard unsafe address.withPointer({ unsafe Glibc.bind(descriptor, $0, $1) }) == 0,
      listen(descriptor, Int32(clamping: backlog)) == 0
    else { return errno }
    return 0
  }

  private static func setOption(
    _ level: Int32, _ name: Int32, to value: Int32 = 1, of descriptor: Int32
  ) {
    var value = value
    unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Limits the bytes that the system buffers for a connection that does not read.
  ///
  /// The system doubles the number for its own overhead (socket(7), `SO_SNDBUF`).
  static func bufferAtMost(_ bytes: Int, of connection: Int32) {
    setOption(SOL_SOCKET, SO_SNDBUF, to: Int32(clamping: bytes / 2), of: connection)
  }

  /// Makes a tcp socket accept no more output while `bytes` bytes are unsent (tcp(7)).
  ///
  /// Unix sockets have no such limit: ``bufferAtMost(_:of:)`` limits their buffers.
  static func limitUnsent(to bytes: Int, of connection: Int32) {
    setOption(
      Int32(IPPROTO_TCP), TCP_NOTSENT_LOWAT, to: Int32(clamping: bytes), of: connection)
  }

  /// Resolves a host with getaddrinfo(3). `*` means every IPv4 interface.
  private static func resolve(
    _ host: String, _ port: UInt16, for endpoint: Endpoint
  ) throws(ZeroMQError) -> SocketAddress {
    var hints = unsafe addrinfo()
    unsafe hints.ai_family = host.contains(":") ? AF_INET6 : AF_INET
    unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = AI_PASSIVE
    var found: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host == "*" ? "0.0.0.0" : host, "\(port)", &hints, &found)
    guard code == 0, let first = unsafe found else {
      throw .endpointFailed(endpoint, operation: "Binding", code: EADDRNOTAVAIL)
    }
    defer { unsafe freeaddrinfo(first) }
    return unsafe SocketAddress(first.pointee.ai_addr, first.pointee.ai_addrlen)
  }

  /// The result of accepting.
  enum Accepted {
    case connection(Int32, SocketAddress)
    /// No connection waits.
    case nobody
    /// The system has no descriptors or no memory left. `code` is the errno(3).
    case failed(code: Int32)
  }

  /// Accepts the next connection and makes it non-blocking.
  func accept() -> Accepted {
    while true {
      var address = SocketAddress()
      let connection = unsafe address.withMutablePointer {
        unsafe Glibc.accept(descriptor, $0, $1)
      }
      if connection >= 0 {
        _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
        _ = fcntl(connection, F_SETFL, O_NONBLOCK)
        if address.family != AF_UNIX {
          // One call sends all messages of a turn, so a delay would have no benefit (tcp(7)).
          Self.setOption(Int32(IPPROTO_TCP), TCP_NODELAY, of: connection)
        }
        return .connection(connection, address)
      }
      switch errno {
      case EAGAIN: return .nobody
      // The peer disconnected while its connection was in the backlog, or a signal interrupted the
      // call.
      case EINTR, ECONNABORTED, EPROTO: continue
      case let code: return .failed(code: code)
      }
    }
  }

  /// Closes a connection.
  static func close(_ connection: Int32) { Glibc.close(connection) }

  /// Stops listening. Accepted connections remain open.
  func close() {
    Glibc.close(descriptor)
    lock.unlock()
  }
}
