import Foundation
import ZeroMQ

/// Runs `body` with a new private directory that has a short path, and then removes the directory.
func withSocketDirectory<R>(_ body: (String) async throws -> R) async throws -> R {
  let name = String(UInt32.random(in: .min ... .max), radix: 36)
  let directory = FileManager.default.temporaryDirectory.appending(path: "zmq-\(name)")
  try FileManager.default.createDirectory(
    at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  defer { try? FileManager.default.removeItem(at: directory) }
  return try await body(directory.path)
}

/// Runs `body` with a context and a socket thread, and then stops the thread.
func withThread<R: Sendable>(
  _ body: @escaping @Sendable (ZMQContext, SocketThread) async throws -> R
) async throws -> R {
  let context = try ZMQContext()
  let thread = SocketThread(name: "test")
  let result = await Task { try await body(context, thread) }.result
  thread.stop()
  thread.join()
  return try result.get()
}

/// Runs `body` as a task whose preferred executor is `thread`.
func on<R: Sendable>(
  _ thread: SocketThread, _ body: @escaping @Sendable () async throws -> R
) async throws -> R {
  try await Task(executorPreference: thread, operation: body).value
}

/// A value that only one thread uses. The compiler cannot verify that only one thread uses the
/// value.
final class Box<Value: ~Copyable>: @unchecked Sendable {
  var value: Value
  init(_ value: consuming Value) { self.value = value }
}
