/// The tasks of one owner: at most one under each key, none that nobody awaits.
///
/// A task under a key that is taken replaces the one before, which is cancelled. A task that has
/// ended is forgotten at once: as long as it is held, so is the memory of its job. The owner calls
/// all of this on its own executor.
public struct OwnedTasks<Key: Hashable> {
  private var running: [UInt64: Task<Void, Never>] = [:]
  private var newest: [Key: UInt64] = [:]
  private var lastNumber: UInt64 = 0

  public init() {}

  /// How many run, those included that were cancelled and have not ended yet.
  public var count: Int { running.count }

  /// Whether a task runs under the key that was not cancelled.
  public func contains(_ key: Key) -> Bool { newest[key] != nil }

  /// A number for the task that is about to start under a key; the one before is cancelled.
  public mutating func reserve(_ key: Key) -> UInt64 {
    cancel(key)
    lastNumber += 1
    newest[key] = lastNumber
    return lastNumber
  }

  /// Keeps the task that was started under a number. It calls ``end(_:_:)`` last, on the owner's
  /// executor, so not before this.
  public mutating func keep(_ task: Task<Void, Never>, as number: UInt64) {
    running[number] = task
  }

  /// A task has ended.
  public mutating func end(_ key: Key, _ number: UInt64) {
    running[number] = nil
    if newest[key] == number { newest[key] = nil }
  }

  /// Cancels the task under a key, if one runs.
  public mutating func cancel(_ key: Key) {
    guard let number = newest.removeValue(forKey: key) else { return }
    running[number]?.cancel()
  }

  /// Cancels every task.
  ///
  /// - Returns: Those that have not ended yet, for the owner to await.
  public mutating func cancelAll() -> [Task<Void, Never>] {
    newest = [:]
    for task in running.values { task.cancel() }
    return Array(running.values)
  }
}
