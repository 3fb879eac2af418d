import Bus
import HummingbirdCore
import ServiceHost

/// A counter of connections. At the limit, the server accepts no new connection until an open
/// connection closes.
struct ConnectionLimit: AvailableConnectionsDelegate {
  private let most: Int
  private let gauge: Gauge
  private var count = 0

  /// - Parameters:
  ///   - most: The maximum number of open connections. The effective limit never exceeds a bound:
  ///     seven eighths of the files that the process may open, minus the files of ZeroMQ clients.
  ///     Without this bound, the server would stop as soon as it could not open a file for an
  ///     accepted connection.
  ///   - clients: The maximum number of ZeroMQ clients. These clients use at most three quarters of
  ///     the files (``Bus/ClientListener/mostConnections``).
  init(_ most: Int, beside clients: Int, showing gauge: Gauge) {
    let files = OpenFileLimit.limit
    self.most = min(most, files * 7 / 8 - min(clients, files * 3 / 4))
    self.gauge = gauge
  }

  mutating func connectionOpened() {
    count += 1
    gauge.set(count)
  }

  mutating func connectionClosed() {
    count -= 1
    gauge.set(count)
  }

  func isAcceptingNewConnections() -> Bool { count < most }
}
