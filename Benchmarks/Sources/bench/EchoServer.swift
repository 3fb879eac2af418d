import Bus
import ZeroMQ

/// A server that answers requests in the same way as Carillon's services.
actor EchoServer {
  private let thread: SocketThread
  private let context: ZMQContext
  private var server: RequestServer?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private init(on thread: SocketThread, in context: ZMQContext) {
    (self.thread, self.context) = (thread, context)
  }

  /// Serves until a signal kills the process.
  static func serve(at path: String) async throws {
    let thread = SocketThread(name: "server")
    let server = EchoServer(on: thread, in: try ZMQContext())
    try await server.open(at: .ipc(path))
    thread.join()
    withExtendedLifetime(server) {}
  }

  private func open(at endpoint: Endpoint) throws {
    let server = try RequestServer(at: [endpoint], in: context, on: thread)
    server.on(EchoMethod.method) { request, call in call.reply(request) }
    self.server = server
  }
}
