internal import Synchronization

/// What the clients of a load have seen: when each joined, and when messages came.
final class LoadTally: Sendable {
  /// A moment of the process's clock.
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

  // MARK: What happens

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

  /// A client's session is over.
  func ended(_ client: Int) {
    state.withLock { state in
      state.over += 1
      if state.joining.removeValue(forKey: client) != nil { state.failures += 1 }
    }
  }

  /// Who has not joined by now has failed.
  func giveUpJoining() {
    state.withLock { state in
      state.failures += state.joining.count
      state.joining = [:]
    }
  }

  /// A client's connection was lost, and is tried again.
  func lostConnection() { state.withLock { $0.losses += 1 } }

  /// - Returns: The message's number.
  func sends() -> Int {
    state.withLock { state in
      state.sent.append(.now)
      return state.sent.count - 1
    }
  }

  /// A message was not taken: nobody gets it.
  func refused(_ number: Int) {
    state.withLock { state in
      state.sent[number] = nil
      state.refused += 1
    }
  }

  /// A client got a message.
  func delivered(_ number: Int) {
    state.withLock { state in
      guard state.sent.indices.contains(number), let start = state.sent[number] else { return }
      state.deliveries.append(.now - start)
    }
  }

  // MARK: What is known

  /// How many have begun to join.
  var begun: Int { state.withLock { $0.begun } }

  /// How many have begun to join and are not in yet.
  var joining: Int { state.withLock { $0.joining.count } }

  /// How many sessions are over.
  var over: Int { state.withLock { $0.over } }

  var deliveryCount: Int { state.withLock { $0.deliveries.count } }

  /// The result so far.
  ///
  /// - Parameter receivers: How many get each message.
  func report(receivers: Int) -> LoadReport {
    state.withLock { state in
      let accepted = state.sent.count { $0 != nil }
      return LoadReport(
        joined: state.joins.count, failed: state.failures, reconnects: state.losses,
        joins: Percentiles(of: state.joins), sent: accepted, refused: state.refused,
        expected: accepted * receivers, delivered: state.deliveries.count,
        deliveries: Percentiles(of: state.deliveries))
    }
  }
}

/// The middle and the end of a distribution of times.
struct Percentiles: Hashable, Sendable {
  /// `nil` of no times at all.
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
