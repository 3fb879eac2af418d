import ZeroMQ

extension SocketThread {
  /// Runs `body` on the thread soon; may be called from anywhere.
  ///
  /// The task has no owner to await it: `body` is one plain call that cannot suspend or fail.
  func perform(_ body: @escaping @Sendable () -> Void) {
    Task(executorPreference: self) { body() }
  }
}
