import Bus
import Foundation
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

@testable import LocalInstallation

/// A gateway that is registered as live and answers operators as the test defines.
///
/// The gateway and the test's body run on the same socket thread.
final class ScriptedOperator {
  /// The directory of all files. Its subdirectory `run` is the runtime directory.
  let directory: String
  private let server: RequestServer
  private let registration: any InstanceRegistration
  private let thread: SocketThread
  private var heartbeat: TimerID?

  /// - Parameter client: The announced endpoint for clients.
  init(
    in directory: String, client: String = "ipc:///nowhere", context: ZMQContext,
    on thread: SocketThread
  ) throws {
    (self.directory, self.thread) = (directory, thread)
    let runtime = "\(directory)/run"
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let endpoint = try Endpoint.ipc("\(directory)/operator.sock")
    registration = try RuntimeDirectoryRegistry(runtimeDirectory: runtime).register(
      InstanceAnnouncement(
        service: "gateway", instance: "gateway-a",
        endpoints: ["operator": endpoint.text, "client": client]))
    // The server starts last. If the server started earlier, an error in a later step would leave
    // the server open.
    server = try RequestServer(at: [endpoint], in: context, on: thread)
    beat()
  }

  func close() {
    if let heartbeat { thread.cancel(heartbeat) }
    registration.withdraw()
    server.close()
  }

  private func beat() {
    try? registration.heartbeat()
    heartbeat = thread.schedule(after: .milliseconds(500)) { [unowned self] in beat() }
  }

  // MARK: Answers

  /// Sets the answer to a method.
  ///
  /// - Returns: The requests as they arrive.
  @discardableResult
  func on<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>,
    _ answer: @escaping (Request) -> Result<Reply, Status>
  ) -> AwaitableEntryList<Request> {
    let requests = AwaitableEntryList<Request>()
    server.on(method) { request, call in
      requests.append(request)
      call.answer(answer(request))
    }
    return requests
  }

  /// Sets a constant answer to a method.
  ///
  /// - Returns: The requests as they arrive.
  @discardableResult
  func on<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, reply: Reply
  ) -> AwaitableEntryList<Request> {
    on(method) { _ in .success(reply) }
  }

  /// Sends items on every stream of a method, and ends the stream as `end` specifies.
  ///
  /// - Parameter end: If `end` is `nil`, the stream stays open. If `end` contains a `nil` status,
  ///   the stream ends without an error.
  func on<Request, Item>(
    _ method: StreamMethod<Request, Item>, items: [Item], end: Status??
  ) {
    server.on(method) { _, stream in
      for item in items { _ = stream.send(item) }
      if let end { stream.end(end) }
    }
  }

  // MARK: The command line

  /// Runs the program `carillon` against this gateway until the program ends.
  func run(_ words: String..., environment: [String: String] = [:]) async throws -> CommandRun {
    try await carillon(words, in: directory, environment: environment)
  }

  /// Starts the program `carillon` against this gateway.
  func start(_ words: String...) async throws -> RunningCommand {
    try await RunningCommand.start(words, in: directory)
  }
}

/// Runs `body` on the thread of a gateway that answers operators, and closes the gateway's sockets.
func withScriptedOperator(
  _ body: @escaping @Sendable (ScriptedOperator) async throws -> Void
) async throws {
  try await withSocketThread("operator") { directory, context, thread in
    let operators = try ScriptedOperator(in: directory, context: context, on: thread)
    defer { operators.close() }
    try await body(operators)
  }
}
