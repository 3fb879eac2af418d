internal import Bus
internal import MeetingModel
package import Output
package import Wire
package import ZeroMQ

/// A connection to `service Operator` of one gateway, on its own socket thread.
package actor OperatorConnection {
  private let thread = SocketThread(name: "operator")
  private var channel: RequestChannel?

  package init() {}

  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Connects to a gateway's operator endpoint while `body` runs.
  ///
  /// - Parameter places: The directories in which to look for a gateway.
  /// - Throws: ``CommandFailure`` when no gateway runs there, and the errors of `body`.
  package static func with<Result>(
    gatewayIn places: [String], _ body: (OperatorConnection) async throws -> Result
  ) async throws -> Result {
    let gateway = try RunningGateway.find(in: places)
    return try await with(gateway.operatorEndpoint, as: nil, body)
  }

  /// Connects to a gateway's operator endpoint while `body` runs.
  ///
  /// - Parameter identity: The caller's keys, for an encrypted endpoint.
  package static func with<Result>(
    _ endpoint: String, as identity: CurveKeyPair?,
    _ body: (OperatorConnection) async throws -> Result
  ) async throws -> Result {
    let connection = OperatorConnection()
    try await connection.open(endpoint, as: identity)
    do {
      let result = try await body(connection)
      await connection.close()
      return result
    } catch {
      await connection.close()
      throw error
    }
  }

  /// Starts to connect. Calls wait for the connection until their deadline.
  package func open(
    _ endpoint: String, as identity: CurveKeyPair? = nil
  ) throws(CommandFailure) {
    do {
      channel = try RequestChannel(
        to: Endpoint(endpoint), in: ZMQContext(identity: identity), on: thread)
    } catch {
      throw .unavailable("\(endpoint) cannot be reached: \(error)")
    }
  }

  /// Calls one method.
  ///
  /// - Throws: ``CommandFailure`` with the status of the gateway's response, or `UNAVAILABLE`.
  package func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request, within limit: Duration = .seconds(5)
  ) async throws(CommandFailure) -> Reply {
    guard let channel else { throw .unavailable("The connection is closed.") }
    do {
      return try await channel.call(method, request, CallOptions(timeout: limit))
    } catch {
      throw CommandFailure(error)
    }
  }

  /// Subscribes to a stream of the gateway, until the stream ends.
  ///
  /// - Returns: The items. The sequence throws ``CommandFailure`` if the stream fails, or if the
  ///   caller reads too slowly.
  package func follow<Request, Item: Sendable>(
    _ method: StreamMethod<Request, Item>, _ request: Request
  ) throws(CommandFailure) -> AsyncThrowingStream<Item, any Error> {
    guard let channel else { throw .unavailable("The connection is closed.") }
    let (items, arrivals) = AsyncThrowingStream.makeStream(
      of: Item.self, bufferingPolicy: .bufferingOldest(Self.mostWaitingItems))
    var stream: StreamCallHandle?
    stream = channel.open(
      method, request, CallOptions(),
      onItem: { item in
        guard case .dropped = arrivals.yield(item) else { return }
        if let stream { channel.cancel(stream) }
        arrivals.finish(
          throwing: CommandFailure.unavailable(
            "This command read the gateway's updates too slowly, so it lost some; run it again."))
      },
      onEnd: { arrivals.finish(throwing: $0.map { CommandFailure($0) }) })
    return items
  }

  private static let mostWaitingItems = 1024

  /// Returns the first item of a stream.
  ///
  /// - Returns: `nil` if the stream ends without an item.
  package func first<Request, Item: Sendable>(
    _ method: StreamMethod<Request, Item>, _ request: Request, within limit: Duration
  ) async throws -> Item? {
    let items = try follow(method, request)
    return try await withThrowingTaskGroup(of: Item?.self) { tasks in
      tasks.addTask { try await items.first { _ in true } }
      tasks.addTask {
        try await Task.sleep(for: limit)
        throw CommandFailure.unavailable(
          "The gateway did not answer within \(limit); look at `carillon services`.")
      }
      defer { tasks.cancelAll() }
      return try await tasks.next() ?? nil
    }
  }

  /// Disconnects. Make no other call after this call.
  package func close() {
    channel?.close()
    channel = nil
    thread.stop()
  }

  isolated deinit { assert(channel == nil, "Close the connection before releasing it.") }
}
