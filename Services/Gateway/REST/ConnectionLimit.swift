import Bus
import HummingbirdCore
import ServiceHost

/// Counts connections, and has new ones wait while there are too many.
struct ConnectionLimit: AvailableConnectionsDelegate {
  private let most: Int
  private let gauge: Gauge
  private var count = 0

  /// - Parameters:
  ///   - most: The largest number of open connections. What clients over ZeroMQ leave of seven
  ///     eighths of the files that the process may open bounds it too, for a server stops that
  ///     cannot accept for want of files.
  ///   - clients: How many clients over ZeroMQ there may be; never more than three quarters of the
  ///     files (``Bus/ClientListener/mostConnections``).
  init(_ most: Int, beside clients: Int, showing gauge: Gauge) {
    let files = OpenFiles.limit
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
