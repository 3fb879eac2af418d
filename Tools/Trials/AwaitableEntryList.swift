internal import Dispatch
internal import Synchronization

/// Ordered entries that any thread can read and wait for.
public final class AwaitableEntryList<Entry: Sendable>: Sendable {
  private struct Waiter {
    /// Returns whether the wait is over. The list calls this closure after each entry, under the
    /// lock.
    let isSatisfied: @Sendable ([Entry]) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var entries: [Entry] = []
    var waiters: [UInt64: Waiter] = [:]
    var lastWaiter: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Creates an empty list.
  public init() {}

  /// The entries so far.
  public var entries: [Entry] { state.withLock { $0.entries } }

  /// The number of entries, which is also the position of the next entry.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Adds an entry.
  public func append(_ entry: Entry) {
    let satisfied = state.withLock { state in
      state.entries.append(entry)
      let ready = state.waiters.filter { $0.value.isSatisfied(state.entries) }
      for id in ready.keys { state.waiters[id] = nil }
      return ready.values.map(\.continuation)
    }
    for continuation in satisfied { continuation.resume(returning: true) }
  }

  /// Closes the list. Tasks that wait for an entry stop waiting.
  public func close() {
    let waiters = state.withLock { state in
      state.isClosed = true
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.continuation.resume(returning: false) }
  }

  /// Waits until the entries satisfy `condition`. The list calls `condition` after each entry.
  ///
  /// - Parameters:
  ///   - limit: The time after which the wait throws an error.
  ///   - condition: A closure that must not access the list, except through the closure's argument.
  /// - Returns: The entries at the end of the wait.
  /// - Throws: ``TimeoutError`` after the limit, when the list closes, or when the task is
  ///   cancelled.
  @discardableResult
  public func wait(
    for what: String, within limit: Duration = .seconds(50),
    until condition: @escaping @Sendable ([Entry]) -> Bool
  ) async throws -> [Entry] {
    guard await holds(by: .now + limit, condition) else {
      throw TimeoutError(what, after: limit, heard: "\(entries)")
    }
    return entries
  }

  /// Waits for the first matching entry at or after a position.
  ///
  /// - Parameter matches: Called once for each entry. The closure may access the list.
  /// - Returns: The entry; `nil` at the deadline, or if the list closes without a matching entry.
  public func first(
    from position: Int, until deadline: ContinuousClock.Instant,
    where matches: @escaping @Sendable (Entry) -> Bool
  ) async -> Entry? {
    var position = position
    while true {
      let fresh = entries.dropFirst(position)
      if let entry = fresh.first(where: matches) { return entry }
      position += fresh.count
      guard await holds(by: deadline, { [position] in $0.count > position }) else { return nil }
    }
  }

  /// Waits until a condition is true. The list evaluates the condition after each entry.
  ///
  /// - Returns: Whether the condition is true; `false` at the deadline, or earlier if the list
  ///   closes or the task is cancelled.
  private func holds(
    by deadline: ContinuousClock.Instant, _ condition: @escaping @Sendable ([Entry]) -> Bool
  ) async -> Bool {
    let waiter = state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = state.withLock { state -> Bool? in
          if condition(state.entries) { return true }
          if state.isClosed || Task.isCancelled { return false }
          state.waiters[waiter] = Waiter(isSatisfied: condition, continuation: continuation)
          return nil
        }
        if let answer { return continuation.resume(returning: answer) }
        let seconds = (deadline - .now) / .seconds(1)
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) { [weak self] in
          self?.giveUp(waiter)
        }
      }
    } onCancel: {
      giveUp(waiter)
    }
  }

  private func giveUp(_ waiter: UInt64) {
    let continuation = state.withLock { $0.waiters.removeValue(forKey: waiter)?.continuation }
    continuation?.resume(returning: false)
  }
}
