import ZeroMQ

extension SocketThread {
  /// Runs `body` on the thread soon. May be called from any thread.
  ///
  /// No owner awaits the task: `body` is one plain call that cannot suspend or fail.
  func perform(_ body: @escaping @Sendable () -> Void) {
    Task(executorPreference: self) { body() }
  }
}
