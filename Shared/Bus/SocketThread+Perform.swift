import ZeroMQ

extension SocketThread {
  /// Schedules `body` on the thread. Any thread may call this method.
  ///
  /// No owner awaits the task, because `body` is one plain call that cannot suspend or fail.
  func perform(_ body: @escaping @Sendable () -> Void) {
    Task(executorPreference: self) { body() }
  }
}
