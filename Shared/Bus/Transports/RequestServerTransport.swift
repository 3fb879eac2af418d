internal import Wire
internal import ZeroMQ

/// The sockets of a request server: a libzmq ROUTER for services, or a ``ClientListener`` for
/// clients.
///
/// All calls run on the server's thread.
protocol RequestServerTransport: AnyObject {
  /// Called with each request, or with `nil` for an invalid message. The request is valid during
  /// the call only.
  var onRequest: (RoutingID, RawSpan?) -> Void { get set }

  /// The form that a message must have, as a clause for an error text.
  var rule: String { get }

  /// Called when the connection of a route has closed. Only some transports detect that a
  /// connection closes.
  var onDeparture: (RoutingID) -> Void { get set }

  /// Called for each event of a connection.
  var onChange: (ConnectionEvent) -> Void { get set }

  /// The endpoint; `nil` after ``close()``. It contains the port that the system chose.
  var endpoint: Endpoint? { get }

  /// Called for each answer that the transport cannot deliver.
  var onUndeliverable: () -> Void { get set }

  /// Sends an answer by the end of this turn, after all earlier answers and items.
  func answer(_ frame: borrowing ArenaWireFrame, to route: RoutingID)

  /// Sends a stream item followed by raw frames, after all earlier answers and items.
  func send(_ frame: borrowing ArenaWireFrame, raw: [MessageFrame], to route: RoutingID)
    -> SendResult

  /// Records that the server has served the current request, so that the idle time of its
  /// connection starts again.
  func wasUsed(by route: RoutingID)

  /// Records that the server has refused the current request.
  func wasRefused(to route: RoutingID)

  /// Waits, for at most `limit`, until the currently connected peers have disconnected.
  func departure(within limit: Duration) async

  func close()
}
