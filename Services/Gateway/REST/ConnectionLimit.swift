import Bus
import HummingbirdCore
import ServiceHost

/// Counts connections, and has new ones wait while there are too many.
struct ConnectionLimit: AvailableConnectionsDelegate {
  private let most: Int
  private let gauge: Gauge
  private var count = 0

  /// - Parameter most: The largest number of open connections. An eighth of the files that the
  ///   process may open bounds it too: a server stops that cannot accept for want of files, and
  ///   clients have three quarters of them (``Bus/ClientListener/mostConnections``).
  init(_ most: Int, showing gauge: Gauge) {
    self.most = min(most, OpenFiles.limit / 8)
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
