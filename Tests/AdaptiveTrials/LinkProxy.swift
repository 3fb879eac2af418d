import Foundation
import Glibc
import Synchronization
import Trials

/// A proxy that simulates links between clients and media. The proxy forwards the bytes of TCP
/// connections in both directions. Each connection has its own link or shares a link with other
/// connections. A link has a rate, a delay and a queue.
///
/// The proxy does not interpret the bytes. While a link is full, senders keep their bytes, as with
/// every TCP connection. The bytes arrive late, but all bytes arrive.
public final class LinkProxy: Sendable {
  /// A direction of a connection.
  public enum Direction: Hashable, Sendable { case up, down }

  /// A sample of a link over 100 ms.
  public struct Sample: Sendable {
    /// The time in seconds since the call of ``LinkProxy/begin(_:of:seed:)``.
    public var at: Double
    public var kbps: Double?
    /// For each chunk of bytes, the time for which the chunk waited for the link, in milliseconds.
    public var waitsMs: [Double]
    public var carriedBytes: Int
  }

  private final class Connection {
    let near: LocalSocket
    let far: LocalSocket
    var outgoing: [Direction: [UInt8]] = [.up: [], .down: []]
    var link: [Direction: Int]

    init(_ near: LocalSocket, _ far: LocalSocket, up: Int, down: Int) {
      (self.near, self.far) = (near, far)
      link = [.up: up, .down: down]
    }

    func source(_ direction: Direction) -> LocalSocket { direction == .up ? near : far }
    func sink(_ direction: Direction) -> LocalSocket { direction == .up ? far : near }
  }

  /// The profile that a link follows, and its progress.
  private struct Watched {
    var profile: LinkProfile
    var shares: [Double]
    var queue: Int
    var began: Double
    var nextSample: Double
  }

  private struct State {
    var isClosed = false
    var target = ""
    var connectionCount = 0
    var orders: [@Sendable (LinkProxy.Thread) -> Void] = []
    var samples: [Sample] = []
  }

  /// The port for clients on 127.0.0.1.
  public let port: Int
  private let listener: LocalSocket
  private let state = Mutex(State())

  /// Listens until ``close()``.
  public init() throws {
    listener = try LocalSocket(listeningAtPort: 0)
    port = try listener.port()
    // Because the socket buffers are small, bytes wait in the queue of the simulated link. The
    // trial measures this queue.
    Self.bound(listener.descriptor)
    setNonblocking(listener.descriptor)
    Foundation.Thread.detachNewThread { [self] in Thread(self).run() }
  }

  /// Connects all later clients to this Unix socket.
  public func lead(to target: String) { state.withLock { $0.target = target } }

  /// The number of clients that have connected.
  public var connectionCount: Int { state.withLock { $0.connectionCount } }

  /// The samples so far of the link that follows a profile.
  public var samples: [Sample] { state.withLock { $0.samples } }

  /// Makes connections share one link in one direction. The link then follows a profile.
  ///
  /// - Parameter connections: The numbers of the connections in the order of their arrival.
  public func begin(_ profile: LinkProfile, of connections: [Int], seed: UInt64) {
    order { $0.begin(profile, of: connections, seed: seed) }
  }

  /// Closes all connections and stops listening.
  public func close() { state.withLock { $0.isClosed = true } }

  private func order(_ body: @escaping @Sendable (Thread) -> Void) {
    state.withLock { $0.orders.append(body) }
  }

  fileprivate static func bound(_ descriptor: Int32) {
    var size: Int32 = 16_384
    for name in [SO_RCVBUF, SO_SNDBUF] {
      setsockopt(descriptor, SOL_SOCKET, name, &size, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  // MARK: The thread

  /// The thread that forwards bytes, and its state.
  fileprivate final class Thread {
    private let proxy: LinkProxy
    private var queues: [LinkQueue] = []
    private var connections: [Connection] = []
    private var watched: Watched?
    private var room = [UInt8](repeating: 0, count: 1_400)
    private let start = ContinuousClock.now

    init(_ proxy: LinkProxy) { self.proxy = proxy }

    private var now: Double { (ContinuousClock.now - start) / .seconds(1) }

    func run() {
      while true {
        let (isClosed, orders) = proxy.state.withLock { state in
          defer { state.orders = [] }
          return (state.isClosed, state.orders)
        }
        if isClosed { return }
        for order in orders { order(self) }
        accept()
        for connection in connections.indices {
          for direction in [Direction.up, .down] { read(connection, direction) }
        }
        advance()
        // The thread sleeps instead of waiting in epoll, because every link must move bytes in each
        // millisecond.
        usleep(1_000)
      }
    }

    private func accept() {
      let descriptor = Glibc.accept(proxy.listener.descriptor, nil, nil)
      guard descriptor >= 0 else { return }
      guard let near = try? LocalSocket(taking: descriptor),
        let far = try? LocalSocket(connectedTo: proxy.state.withLock { $0.target })
      else { return }
      for socket in [near, far] { setNonblocking(socket.descriptor) }
      var one: Int32 = 1
      setsockopt(
        near.descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one,
        socklen_t(MemoryLayout<Int32>.size))
      queues += [LinkQueue(seed: UInt64(queues.count)), LinkQueue(seed: UInt64(queues.count + 1))]
      connections.append(
        Connection(near, far, up: queues.count - 2, down: queues.count - 1))
      proxy.state.withLock { $0.connectionCount = connections.count }
    }

    private func read(_ index: Int, _ direction: Direction) {
      let connection = connections[index]
      guard let link = connection.link[direction] else { return }
      while queues[link].hasRoom {
        let count = recv(connection.source(direction).descriptor, &room, room.count, 0)
        guard count > 0 else { return }
        queues[link].append(
          Array(room[..<count]), of: 2 * index + (direction == .up ? 0 : 1), at: now)
      }
    }

    private func advance() {
      let now = now
      follow(now)
      for link in queues.indices {
        queues[link].advance(to: now) { place, bytes in
          let direction = place % 2 == 0 ? Direction.up : .down
          connections[place / 2].outgoing[direction]?.append(contentsOf: bytes)
        }
      }
      for connection in connections {
        for direction in [Direction.up, .down] { write(connection, direction) }
      }
    }

    private func write(_ connection: Connection, _ direction: Direction) {
      guard let bytes = connection.outgoing[direction], !bytes.isEmpty else { return }
      let count = send(
        connection.sink(direction).descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      if count > 0 { connection.outgoing[direction]?.removeFirst(count) }
    }

    // MARK: Profiles

    func begin(_ profile: LinkProfile, of numbers: [Int], seed: UInt64) {
      let direction = profile.subject == .publisher ? Direction.up : .down
      guard let shared = numbers.first.flatMap({ connections[$0].link[direction] }) else { return }
      for number in numbers {
        connections[number].link[direction] = shared
        let other = connections[number].link[direction == .up ? .down : .up] ?? shared
        queues[other].delay = profile.delayMs / 1_000
        queues[other].longestWait = profile.queueMs / 1_000
        if let kbps = profile.otherKbps, kbps > 0 { queues[other].bytesPerSecond = kbps * 125 }
      }
      queues[shared].delay = profile.delayMs / 1_000
      queues[shared].jitter = profile.delayMs / 1_000 * (profile.jitterPercent ?? 0) / 100
      queues[shared].longestWait = profile.queueMs / 1_000
      watched = Watched(
        profile: profile, shares: profile.drawShares(seed: seed), queue: shared, began: now,
        nextSample: now + 0.1)
    }

    private func follow(_ now: Double) {
      guard var watched else { return }
      let time = now - watched.began
      let kbps = watched.profile.kbps(at: time, shares: watched.shares)
      queues[watched.queue].bytesPerSecond = kbps.map { $0 * 125 }
      if now >= watched.nextSample {
        watched.nextSample += 0.1
        let waits = queues[watched.queue].takeWaits(at: now).map { $0 * 1_000 }
        let carried = queues[watched.queue].takeCarried()
        proxy.state.withLock {
          $0.samples.append(
            Sample(at: time, kbps: kbps, waitsMs: waits, carriedBytes: carried))
        }
      }
      self.watched = watched
    }
  }
}

private func setNonblocking(_ descriptor: Int32) {
  _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}
