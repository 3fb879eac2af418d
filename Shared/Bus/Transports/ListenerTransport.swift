internal import Wire
internal import ZMTP
internal import ZeroMQ

/// A transport for requests of one frame from clients, over a ``ClientListener``.
final class ListenerTransport: RequestServerTransport {
  var onRequest: (RoutingID, RawSpan?) -> Void = { _, _ in }
  var onDeparture: (RoutingID) -> Void = { _ in }
  var onUndeliverable: () -> Void = {}
  var onChange: (ConnectionEvent) -> Void {
    get { listener.onChange }
    set { listener.onChange = newValue }
  }

  let rule: String
  let listener: ClientListener

  /// - Throws: ``ZeroMQError`` when an endpoint is in use, or when this process cannot bind an
  ///   endpoint.
  init(
    at endpoints: [Endpoint], on thread: SocketThread, options: ListenerLimits
  ) throws(ZeroMQError) {
    rule = "a message is one frame of at most \(options.limits.frameBytes) bytes"
    listener = try ClientListener(at: endpoints, on: thread, options: options)
    listener.onFrame = { [unowned self] connection, frame in
      // Safe: a `UInt8` has no padding bytes.
      onRequest(connection.route, unsafe frame.bytes)
    }
    listener.onViolation = { [unowned self] connection in onRequest(connection.route, nil) }
    listener.onClose = { [unowned self] connection in onDeparture(connection.route) }
  }

  var endpoint: Endpoint? { listener.endpoints.last }

  /// Sends each answer as a separate message.
  ///
  /// A bundle would save nothing: one system call sends all messages of a turn to one connection.
  func answer(_ frame: borrowing ArenaWireFrame, to route: RoutingID) {
    if send(frame, raw: [], to: route) != .sent { onUndeliverable() }
  }

  func send(_ frame: borrowing ArenaWireFrame, raw: [MessageFrame], to route: RoutingID)
    -> SendResult
  {
    guard let connection = listener.connection(route) else { return .unroutable }
    return listener.send(to: connection, size: frame.count, raw: raw) { output in
      frame.write(to: &output)
    }
  }

  func wasUsed(by route: RoutingID) { listener.connection(route).map(listener.wasUsed) }
  func wasRefused(to route: RoutingID) { listener.connection(route).map(listener.wasRefused) }

  func departure(within limit: Duration) async { await listener.departure(within: limit) }

  func close() { listener.close() }
}
