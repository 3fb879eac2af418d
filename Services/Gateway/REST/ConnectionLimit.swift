import Glibc
import HummingbirdCore
import ServiceHost

/// Counts connections, and has new ones wait while there are too many.
struct ConnectionLimit: AvailableConnectionsDelegate {
  private let most: Int
  private let gauge: Gauge
  private var count = 0

  /// - Parameter most: The largest number of open connections. Half of the files that the process
  ///   may open bound it too, because a server stops that cannot accept for want of files.
  init(_ most: Int, showing gauge: Gauge) {
    self.most = min(most, Self.openFileLimit / 2)
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

  /// `RLIMIT_NOFILE` of getrlimit(2).
  private static var openFileLimit: Int {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
      return 1_024
    }
    return Int(clamping: limit.rlim_cur)
  }
}
