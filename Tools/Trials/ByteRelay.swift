internal import Foundation
internal import Glibc
internal import Synchronization

/// A relay between clients and a Unix socket. A test can cut, silence and redirect the relay.
public final class ByteRelay: Sendable {
  /// The relay's treatment of bytes and connections.
  public enum Condition: Hashable, Sendable {
    /// Bytes pass in both directions.
    case open
    /// The relay has closed all connections, and closes new connections immediately.
    case cut
    /// Connections remain open, but the relay forwards no bytes.
    case silent
  }

  /// The path at which clients connect.
  public let path: String

  private struct State {
    var condition = Condition.open
    var target: String
    var isClosed = false
    var connectionCount = 0
  }

  private let listener: LocalSocket
  private let wakeReader: LocalSocket
  private let wakeWriter: LocalSocket
  private let state: Mutex<State>

  /// Listens at `path` until ``close()``, and connects to `target` for each client.
  public init(at path: String, to target: String) throws {
    self.path = path
    listener = try LocalSocket(listeningAt: path)
    var ends: [Int32] = [-1, -1]
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    guard unsafe socketpair(AF_UNIX, Int32(type), 0, &ends) == 0 else {
      throw LocalSocket.Failure.cannotOpen(errno: errno)
    }
    (wakeReader, wakeWriter) = (LocalSocket(adopting: ends[0]), LocalSocket(adopting: ends[1]))
    state = Mutex(State(target: target))
    Thread.detachNewThread { [self] in run() }
  }

  /// Changes the condition.
  public func set(_ condition: Condition) { change { $0.condition = condition } }

  /// Redirects new connections to another target. Existing connections keep their target.
  public func lead(to target: String) { change { $0.target = target } }

  /// The number of connections that the relay forwards now.
  public var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// Closes all connections and stops listening.
  public func close() { change { $0.isClosed = true } }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { body(&$0) }
    var byte: UInt8 = 0
    unsafe write(wakeWriter.descriptor, &byte, 1)
  }

  // MARK: The thread

  private struct Pair {
    let near: LocalSocket
    let far: LocalSocket
  }

  private func run() {
    var pairs: [Pair] = []
    while true {
      let now = state.withLock { $0 }
      if now.isClosed { return }
      if now.condition == .cut {
        pairs = []
        state.withLock { $0.connectionCount = 0 }
      }
      let passing = now.condition == .open ? pairs : []
      var polled = [pollfd(listener.descriptor), pollfd(wakeReader.descriptor)]
      for pair in passing { polled += [pollfd(pair.near.descriptor), pollfd(pair.far.descriptor)] }
      guard unsafe poll(&polled, nfds_t(polled.count), -1) >= 0 || errno == EINTR else { return }
      if polled[1].revents != 0 { drainWakes() }
      // The condition may have changed during the wait. In that case, no more bytes may pass.
      guard state.withLock({ $0.condition }) == now.condition else { continue }
      var broken: Set<Int> = []
      for (index, pair) in passing.enumerated() {
        let forth = polled[2 + 2 * index].revents == 0 || pass(from: pair.near, to: pair.far)
        let back = polled[3 + 2 * index].revents == 0 || pass(from: pair.far, to: pair.near)
        if !forth || !back { broken.insert(index) }
      }
      pairs = pairs.enumerated().filter { !broken.contains($0.offset) }.map(\.element)
      // The target may also have changed during the wait.
      if polled[0].revents != 0, let pair = accept(state.withLock { $0 }) { pairs.append(pair) }
      state.withLock { $0.connectionCount = pairs.count }
    }
  }

  private func accept(_ now: State) -> Pair? {
    let descriptor = Glibc.accept(listener.descriptor, nil, nil)
    guard descriptor >= 0 else { return nil }
    // A process started later would inherit the descriptor and keep the connection open.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    let near = LocalSocket(adopting: descriptor)
    guard now.condition != .cut, let far = try? LocalSocket(connectedTo: now.target) else {
      return nil
    }
    for socket in [near, far] { socket.limitWaits(toSeconds: 5) }
    return Pair(near: near, far: far)
  }

  /// Forwards bytes once, and returns whether the connection is still open.
  private func pass(from source: LocalSocket, to sink: LocalSocket) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(source.descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return false }
    return (try? sink.send(Array(buffer[..<count]))) != nil
  }

  private func drainWakes() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(wakeReader.descriptor, &bytes, bytes.count) > 0 {}
  }
}

extension pollfd {
  fileprivate init(_ descriptor: Int32) {
    self.init(fd: descriptor, events: Int16(POLLIN), revents: 0)
  }
}
