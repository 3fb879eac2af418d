internal import ZeroMQ

/// The tasks that wait for connections to close.
///
/// All calls run on the connections' thread.
final class ConnectionCloseWaits<ID: Hashable> {
  /// A task that waits until the connections that were open at the beginning of the wait have
  /// closed.
  private struct Waiter {
    var remaining: Set<ID>
    let continuation: CheckedContinuation<Void, Never>
    let cancel: () -> Void
  }

  private var departures: [Waiter] = []

  /// Waits, for at most `limit`, until these connections have closed.
  func wait(
    for connections: @autoclosure () -> Set<ID>, within limit: Duration, on thread: SocketThread
  ) async {
    // This code calls `connections` inside the closure: this method may suspend before the closure,
    // and the last connection may close in the meantime.
    await withCheckedContinuation { continuation in
      let remaining = connections()
      guard !remaining.isEmpty else { return continuation.resume() }
      let timer = thread.schedule(after: limit) { [weak self] in self?.endAll() }
      departures.append(
        Waiter(
          remaining: remaining, continuation: continuation, cancel: { thread.cancel(timer) }))
    }
  }

  /// Records that a connection has closed.
  func left(_ connection: ID) {
    for index in departures.indices { departures[index].remaining.remove(connection) }
    end { $0.remaining.isEmpty }
  }

  /// Ends all waits.
  func endAll() { end { _ in true } }

  private func end(where isOver: (Waiter) -> Bool) {
    guard !departures.isEmpty else { return }
    let over = departures.filter(isOver)
    departures.removeAll(where: isOver)
    for departure in over {
      departure.cancel()
      departure.continuation.resume()
    }
  }
}
