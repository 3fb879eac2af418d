import Dispatch
import Synchronization

/// What was heard, in its order, to be read and awaited from any thread.
public final class Journal<Entry: Sendable>: Sendable {
  private struct Waiter {
    let isSatisfied: @Sendable ([Entry]) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var entries: [Entry] = []
    var waiters: [UInt64: Waiter] = [:]
    var lastWaiter: UInt64 = 0
  }

  private let state = Mutex(State())

  public init() {}

  /// What was heard so far.
  public var entries: [Entry] { state.withLock { $0.entries } }

  public func append(_ entry: Entry) {
    let satisfied = state.withLock { state in
      state.entries.append(entry)
      let ready = state.waiters.filter { $0.value.isSatisfied(state.entries) }
      for id in ready.keys { state.waiters[id] = nil }
      return ready.values.map(\.continuation)
    }
    for continuation in satisfied { continuation.resume(returning: true) }
  }

  /// Waits until the entries satisfy `condition`, which is asked after each one.
  ///
  /// - Parameter limit: The wait ends with an error when so much time has passed.
  /// - Returns: The entries at the end of the wait.
  /// - Throws: ``Overdue``.
  @discardableResult
  public func wait(
    for what: String, within limit: Duration = .seconds(15),
    until condition: @escaping @Sendable ([Entry]) -> Bool
  ) async throws -> [Entry] {
    let isSatisfied = await withCheckedContinuation { continuation in
      let waiter = state.withLock { state -> UInt64? in
        guard !condition(state.entries) else { return nil }
        state.lastWaiter += 1
        state.waiters[state.lastWaiter] = Waiter(
          isSatisfied: condition, continuation: continuation)
        return state.lastWaiter
      }
      guard let waiter else { return continuation.resume(returning: true) }
      DispatchQueue.global().asyncAfter(deadline: .now() + limit / .seconds(1)) { [weak self] in
        self?.giveUp(waiter)
      }
    }
    guard isSatisfied else { throw Overdue(what, after: limit, heard: "\(entries)") }
    return entries
  }

  private func giveUp(_ waiter: UInt64) {
    let continuation = state.withLock { $0.waiters.removeValue(forKey: waiter)?.continuation }
    continuation?.resume(returning: false)
  }
}

/// Something did not happen in the time it has.
public struct Overdue: Error, CustomStringConvertible {
  public let description: String

  public init(_ what: String, after limit: Duration, heard: String = "") {
    description = "Waited \(limit) for \(what). \(heard)"
  }
}

/// Asks until `condition` holds: for what another process knows and tells nobody.
///
/// - Parameter limit: The wait ends with an error when so much time has passed.
/// - Throws: ``Overdue``, or what `condition` throws.
public func eventually(
  _ what: String, within limit: Duration = .seconds(15), _ condition: () async throws -> Bool
) async throws {
  let deadline = ContinuousClock.now + limit
  while try await !condition() {
    guard ContinuousClock.now < deadline else { throw Overdue(what, after: limit) }
    // There is no event to await: the pause only spares the other process.
    try await Task.sleep(for: .milliseconds(20))
  }
}
