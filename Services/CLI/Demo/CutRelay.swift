internal import Foundation
internal import Synchronization

/// A cable between a client and a gateway that can be cut: a Unix socket whose bytes go on to
/// another.
///
/// While it is cut nobody can connect and every connection is gone. Each direction of a connection
/// has a thread, which blocks as a cable without room would.
final class CutRelay: Sendable {
  private struct State {
    /// The listening socket; `nil` while cut.
    var listener: Int32?
    /// Both ends of each connection; closed when neither direction uses them any more.
    var connections: [Int: Connection] = [:]
    var nextConnection = 0
  }

  private struct Connection {
    let client: Int32
    let server: Int32
    var openDirections = 2
  }

  /// Where clients connect.
  let path: String
  private let target: String
  private let state = Mutex(State())

  /// - Parameters:
  ///   - path: Of the socket to make.
  ///   - target: Path of the socket that connections go on to.
  init(at path: String, to target: String) {
    self.path = path
    self.target = target
  }

  deinit { cut() }

  /// Begins to take connections, at first or after a cut.
  func connect() throws(CommandFailure) {
    let listener = try Self.listen(at: path)
    state.withLock { $0.listener = listener }
    Thread.detachNewThread { [weak self] in
      while let client = Self.accept(on: listener) {
        guard let self else {
          close(client)
          break
        }
        self.join(client)
      }
      close(listener)
    }
  }

  /// Ends all connections and takes no new ones.
  func cut() {
    state.withLock { state in
      _ = unsafe unlink(path)
      // shutdown(2) wakes the thread that blocks in it, which then closes the descriptor.
      if let listener = state.listener.take() { shutdown(listener, Int32(SHUT_RDWR)) }
      for connection in state.connections.values {
        shutdown(connection.client, Int32(SHUT_RDWR))
        shutdown(connection.server, Int32(SHUT_RDWR))
      }
    }
  }

  /// How many connections there are.
  var connections: Int { state.withLock { $0.connections.count } }

  private func join(_ client: Int32) {
    guard let server = Self.dial(target) else {
      close(client)
      return
    }
    let number = state.withLock { state -> Int? in
      guard state.listener != nil else { return nil }
      state.nextConnection += 1
      state.connections[state.nextConnection] = Connection(client: client, server: server)
      return state.nextConnection
    }
    guard let number else {
      close(client)
      close(server)
      return
    }
    for (source, sink) in [(client, server), (server, client)] {
      Thread.detachNewThread {
        Self.copy(from: source, to: sink)
        self.directionEnded(number)
      }
    }
  }

  private func directionEnded(_ number: Int) {
    state.withLock { state in
      guard var connection = state.connections[number] else { return }
      connection.openDirections -= 1
      state.connections[number] = connection.openDirections == 0 ? nil : connection
      guard connection.openDirections == 0 else { return }
      close(connection.client)
      close(connection.server)
    }
  }

  // MARK: - Sockets

  /// Copies until one side ends, and then ends both.
  private static func copy(from source: Int32, to sink: Int32) {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    copying: while true {
      let count = unsafe recv(source, &bytes, bytes.count, 0)
      guard count > 0 else {
        if count < 0, errno == EINTR { continue }
        break
      }
      var sent = 0
      while sent < count {
        let more = unsafe bytes[sent..<count].withUnsafeBytes { rest in
          unsafe send(sink, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
        }
        guard more > 0 else {
          if more < 0, errno == EINTR { continue }
          break copying
        }
        sent += more
      }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(sink, Int32(SHUT_RDWR))
  }

  private static func listen(at path: String) throws(CommandFailure) -> Int32 {
    let socket = open()
    guard socket >= 0 else { throw .precondition("No socket: errno \(errno).") }
    let isBound = unsafe UnixAddress.withAddress(of: path) { address, length in
      unsafe bind(socket, address, length) == 0 && Foundation.listen(socket, 16) == 0
    }
    guard isBound == true else {
      let code = errno
      close(socket)
      throw .precondition("Cannot listen at \(path): errno \(code).")
    }
    return socket
  }

  private static func accept(on listener: Int32) -> Int32? {
    while true {
      let client = Foundation.accept(listener, nil, nil)
      if client >= 0 {
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        return client
      }
      if errno != EINTR && errno != ECONNABORTED { return nil }
    }
  }

  private static func dial(_ path: String) -> Int32? {
    let socket = open()
    guard socket >= 0 else { return nil }
    let isConnected = unsafe UnixAddress.withAddress(of: path) { address, length in
      unsafe Foundation.connect(socket, address, length) == 0
    }
    if isConnected == true { return socket }
    close(socket)
    return nil
  }

  private static func open() -> Int32 {
    socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  }
}
