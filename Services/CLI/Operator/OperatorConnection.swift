internal import Bus
internal import MeetingModel
internal import Wire
internal import ZeroMQ

/// Calls `service Operator` of one gateway, on a socket thread of its own.
actor OperatorConnection {
  private let thread = SocketThread(name: "operator")
  private var channel: RequestChannel?

  nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe thread.asUnownedSerialExecutor() }

  /// Begins to connect; calls wait for the connection within their deadline.
  func open(_ endpoint: String) throws(CommandFailure) {
    do {
      channel = try RequestChannel(to: Endpoint(endpoint), in: Context(), on: thread)
    } catch {
      throw .unavailable("\(endpoint) cannot be reached: \(error)")
    }
  }

  /// Calls one method.
  ///
  /// - Throws: ``CommandFailure`` with the status the gateway answered, or `UNAVAILABLE`.
  func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, within limit: Duration = .seconds(5)
  ) async throws(CommandFailure) -> Reply {
    guard let channel else { throw .unavailable("The connection is closed.") }
    do {
      return try await channel.call(method, request, CallOptions(timeout: limit))
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Disconnects. No call follows.
  func close() {
    channel?.close()
    channel = nil
    thread.stop()
  }

  isolated deinit { assert(channel == nil, "Close the connection before releasing it.") }
}
