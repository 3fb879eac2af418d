import Bus
import HummingbirdCore
import ServiceHost

/// A counter of connections that delays new ones while there are too many.
struct ConnectionLimit: AvailableConnectionsDelegate {
  private let most: Int
  private let gauge: Gauge
  private var count = 0

  /// - Parameters:
  ///   - most: The maximum number of open connections. The bound is lower if seven eighths of the
  ///     files that the process may open, less those of ZeroMQ clients, are fewer. A server that
  ///     runs out of files on accept stops.
  ///   - clients: The maximum number of ZeroMQ clients. They never use more than three quarters of
  ///     the files (``Bus/ClientListener/mostConnections``).
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
