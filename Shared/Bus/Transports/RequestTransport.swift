internal import Wire
internal import ZeroMQ

/// The sockets of a request server: a libzmq ROUTER for services, or our own listener for clients.
///
/// Lives on the server's thread.
protocol RequestTransport: AnyObject {
  /// Called with each request, which is valid during the call only; `nil` for an invalid message.
  var onRequest: (Route, RawSpan?) -> Void { get set }

  /// The form that a message must have, as the end of a sentence.
  var rule: String { get }

  /// Called when the connection of a route has closed. Only some transports notice.
  var onDeparture: (Route) -> Void { get set }

  /// Called for each event of a connection.
  var onChange: (ConnectionEvent) -> Void { get set }

  /// The endpoint with the port that the system chose; `nil` after ``close()``.
  var endpoint: Endpoint? { get }

  /// Called for each answer that cannot be delivered.
  var onUndeliverable: () -> Void { get set }

  /// Sends an answer by the end of this turn, after everything sent before.
  func answer(_ frame: borrowing PreparedFrame, to route: Route)

  /// Sends a stream item followed by raw frames, after everything sent before.
  func send(_ frame: borrowing PreparedFrame, raw: [Frame], to route: Route) -> SendResult

  /// Records that the current request was served, so its connection is in use.
  func wasUsed(by route: Route)

  /// Records that the current request was refused.
  func wasRefused(to route: Route)

  /// Waits until the peers that are connected now have disconnected, for at most `limit`.
  func departure(within limit: Duration) async

  func close()
}
