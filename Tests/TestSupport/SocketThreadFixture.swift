public import ZeroMQ

/// Runs `body` on a socket thread of its own, with a fresh directory for sockets, and ends the
/// thread afterwards.
///
/// `body` closes the sockets that it opens.
public func withSocketThread(
  _ name: String,
  _ body: @escaping @Sendable (String, Context, SocketThread) async throws -> Void
) async throws {
  try await withTemporaryDirectory { directory in
    let context = try Context()
    let thread = SocketThread(name: name)
    let result = await Task(executorPreference: thread) {
      try await body(directory, context, thread)
    }.result
    thread.stop()
    thread.join()
    try result.get()
  }
}
