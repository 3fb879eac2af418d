internal import Synchronization

/// The events of the clients in a load test: joins, sent messages and deliveries, with their times.
final class LoadTally: Sendable {
  /// A time of the process's clock.
  typealias Instant = ContinuousClock.Instant

  private struct State {
    var begun = 0
    var joining: [Int: Instant] = [:]
    var joins: [Duration] = []
    var failures = 0
    var losses = 0
    var sent: [Instant?] = []
    var refused = 0
    var deliveries: [Duration] = []
    var over = 0
  }

  private let state = Mutex(State())

  // MARK: Events

  func begins(_ client: Int) {
    state.withLock { state in
      state.begun += 1
      state.joining[client] = .now
    }
  }

  func joined(_ client: Int) {
    state.withLock { state in
      guard let start = state.joining.removeValue(forKey: client) else { return }
      state.joins.append(.now - start)
    }
  }

  /// Records the end of a client's session. If the client was still joining, this method counts the
  /// join as failed.
  func ended(_ client: Int) {
    state.withLock { state in
      state.over += 1
      if state.joining.removeValue(forKey: client) != nil { state.failures += 1 }
    }
  }

  /// Counts all clients that are still joining as failed.
  func giveUpJoining() {
    state.withLock { state in
      state.failures += state.joining.count
      state.joining = [:]
    }
  }

  /// Records that a client lost its connection. The client reconnects.
  func lostConnection() { state.withLock { $0.losses += 1 } }

  /// Records the sending of a message.
  ///
  /// - Returns: The message's number.
  func sends() -> Int {
    state.withLock { state in
      state.sent.append(.now)
      return state.sent.count - 1
    }
  }

  /// Records that the server refused a message, so that no client receives the message.
  func refused(_ number: Int) {
    state.withLock { state in
      state.sent[number] = nil
      state.refused += 1
    }
  }

  /// Records the delivery of a message to a client.
  func delivered(_ number: Int) {
    state.withLock { state in
      guard state.sent.indices.contains(number), let start = state.sent[number] else { return }
      state.deliveries.append(.now - start)
    }
  }

  // MARK: State

  /// The number of clients that have begun to join.
  var begun: Int { state.withLock { $0.begun } }

  /// The number of clients that are joining now.
  var joining: Int { state.withLock { $0.joining.count } }

  /// The number of ended sessions.
  var over: Int { state.withLock { $0.over } }

  var deliveryCount: Int { state.withLock { $0.deliveries.count } }

  /// Returns the result so far.
  ///
  /// - Parameter receivers: The number of clients that receive each message.
  func report(receivers: Int) -> LoadTestReport {
    state.withLock { state in
      let accepted = state.sent.count { $0 != nil }
      return LoadTestReport(
        joined: state.joins.count, failed: state.failures, reconnects: state.losses,
        joins: Percentiles(of: state.joins), sent: accepted, refused: state.refused,
        expected: accepted * receivers, delivered: state.deliveries.count,
        deliveries: Percentiles(of: state.deliveries))
    }
  }
}

/// The median and the 99th percentile of times.
struct Percentiles: Hashable, Sendable {
  /// The percentiles; `nil` if there are no times.
  let p50, p99: Duration?

  init(of times: [Duration]) {
    let sorted = times.sorted()
    func rank(_ share: Double) -> Duration? {
      sorted.isEmpty
        ? nil : sorted[min(Int((Double(sorted.count) * share).rounded(.up)) - 1, sorted.count - 1)]
    }
    (p50, p99) = (rank(0.5), rank(0.99))
  }
}
