/// The tasks of one owner, at most one per key. The owner awaits every task that has not finished.
///
/// A new task under a key cancels and replaces the previous task. This type removes a finished task
/// immediately, because a stored task retains the memory of its job. The owner makes all calls on
/// its own executor.
public struct KeyedTasks<Key: Hashable> {
  private var running: [UInt64: Task<Void, Never>] = [:]
  private var newest: [Key: UInt64] = [:]
  private var lastNumber: UInt64 = 0

  public init() {}

  /// The number of running tasks, including cancelled tasks that have not finished.
  public var count: Int { running.count }

  /// Returns whether the key has a running task that is not cancelled.
  public func contains(_ key: Key) -> Bool { newest[key] != nil }

  /// Returns a number for the next task under a key, and cancels the previous task.
  public mutating func reserve(_ key: Key) -> UInt64 {
    cancel(key)
    lastNumber += 1
    newest[key] = lastNumber
    return lastNumber
  }

  /// Keeps the task that started under a number.
  ///
  /// The task calls ``end(_:_:)`` last, on the owner's executor. So the task never calls
  /// ``end(_:_:)`` before this method returns.
  public mutating func keep(_ task: Task<Void, Never>, as number: UInt64) {
    running[number] = task
  }

  /// Removes a task that has finished.
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
  /// - Returns: The tasks that have not finished, for the owner to await.
  public mutating func cancelAll() -> [Task<Void, Never>] {
    newest = [:]
    for task in running.values { task.cancel() }
    return Array(running.values)
  }
}
