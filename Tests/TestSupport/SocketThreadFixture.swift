public import ZeroMQ

/// Runs `body` on a new socket thread with an empty directory for sockets, and stops the thread
/// afterwards.
///
/// `body` must close the sockets that it opens.
public func withSocketThread(
  _ name: String,
  _ body: @escaping @Sendable (String, ZMQContext, SocketThread) async throws -> Void
) async throws {
  try await withTemporaryDirectory { directory in
    let context = try ZMQContext()
    let thread = SocketThread(name: name)
    let result = await Task(executorPreference: thread) {
      try await body(directory, context, thread)
    }.result
    thread.stop()
    thread.join()
    try result.get()
  }
}
