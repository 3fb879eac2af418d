internal import Wire

/// The answers of one turn of a server's loop, in one bundle for each peer.
struct AnswerBatch {
  private var bundles: [(route: RoutingID, bundle: WireFrameBundle)] = []

  /// The number of bundles in use. All further bundles are empty and keep their capacity.
  private var count = 0

  /// The index of the bundle that got the last answer. Consecutive answers mostly go to the same
  /// peer.
  private var latest = 0

  /// The maximum number of peers with a bundle at the same time. Services have few peers.
  private static let mostPeers = 32

  /// Passes every bundle to `body`, and empties the bundles.
  ///
  /// - Parameter body: Sends one bundle.
  mutating func takeAll(_ body: (RoutingID, borrowing WireFrameBundle) -> Void) {
    while count > 0 {
      count -= 1
      body(bundles[count].route, bundles[count].bundle)
      bundles[count].bundle.removeAll()
    }
  }

  /// Passes the bundle of one peer to `body` and empties the bundle.
  mutating func take(of route: RoutingID, _ body: (RoutingID, borrowing WireFrameBundle) -> Void) {
    guard let index = index(of: route) else { return }
    body(route, bundles[index].bundle)
    bundles[index].bundle.removeAll()
    count -= 1
    bundles.swapAt(index, count)
  }

  /// Adds an answer. If the peer's bundle is large enough, passes the bundle to `body`.
  mutating func append(
    _ frame: borrowing ArenaWireFrame, to route: RoutingID,
    _ body: (RoutingID, borrowing WireFrameBundle) -> Void
  ) {
    let index = index(of: route) ?? add(route, body)
    bundles[index].bundle.append(frame)
    latest = index
    if bundles[index].bundle.isDue { take(of: route, body) }
  }

  private mutating func add(
    _ route: RoutingID, _ body: (RoutingID, borrowing WireFrameBundle) -> Void
  ) -> Int {
    if count == Self.mostPeers { takeAll(body) }
    if count == bundles.count {
      bundles.append((route, WireFrameBundle()))
    } else {
      bundles[count].route = route
    }
    count += 1
    return count - 1
  }

  private func index(of route: RoutingID) -> Int? {
    if latest < count, bundles[latest].route == route { return latest }
    return bundles[..<count].firstIndex { $0.route == route }
  }
}
