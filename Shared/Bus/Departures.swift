internal import ZeroMQ

/// Those who wait until connections have left. Lives on the connections' thread.
final class Departures<ID: Hashable> {
  /// Somebody waits until those that were connected when it began to have left.
  private struct Departure {
    var remaining: Set<ID>
    let continuation: CheckedContinuation<Void, Never>
    let cancel: () -> Void
  }

  private var departures: [Departure] = []

  /// Waits until they have left, but not longer than `limit`.
  func wait(
    for connections: @autoclosure () -> Set<ID>, within limit: Duration, on thread: SocketThread
  ) async {
    // Looked at in there: to call it may suspend, and the last one leave meanwhile.
    await withCheckedContinuation { continuation in
      let remaining = connections()
      guard !remaining.isEmpty else { return continuation.resume() }
      let timer = thread.schedule(after: limit) { [weak self] in self?.endAll() }
      departures.append(
        Departure(
          remaining: remaining, continuation: continuation, cancel: { thread.cancel(timer) }))
    }
  }

  /// A connection is no more.
  func left(_ connection: ID) {
    for index in departures.indices { departures[index].remaining.remove(connection) }
    end { $0.remaining.isEmpty }
  }

  /// Nobody waits any longer.
  func endAll() { end { _ in true } }

  private func end(where isOver: (Departure) -> Bool) {
    guard !departures.isEmpty else { return }
    let over = departures.filter(isOver)
    departures.removeAll(where: isOver)
    for departure in over {
      departure.cancel()
      departure.continuation.resume()
    }
  }
}
