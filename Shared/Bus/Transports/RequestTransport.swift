internal import Wire
internal import ZeroMQ

/// By what a request server meets its peers: a ROUTER of libzmq among services, a listener of our
/// own for clients. Lives on the server's thread.
protocol RequestTransport: AnyObject {
  /// Called for each request, which is lent for the call; `nil` for a message that cannot be one.
  var onRequest: (Route, RawSpan?) -> Void { get set }

  /// What a message must be: the end of a sentence.
  var rule: String { get }

  /// Called once the connection of a route is no more, where that can be known.
  var onDeparture: (Route) -> Void { get set }

  /// Hears what becomes of connections.
  var onChange: (ConnectionEvent) -> Void { get set }

  /// Where it listens, with the port that the system chose; `nil` once it is closed.
  var endpoint: Endpoint? { get }

  /// Called for each answer that gets nowhere.
  var onUndeliverable: () -> Void { get set }

  /// Sends an answer at the end of this turn at the latest, behind all that was sent before.
  func answer(_ frame: borrowing PreparedFrame, to route: Route)

  /// Sends an item of a stream, with raw frames behind it, behind all that was sent before.
  func send(_ frame: borrowing PreparedFrame, raw: [Frame], to route: Route) -> SendResult

  /// The request that is looked at is served: its connection is of use.
  func wasUsed(by route: Route)

  /// The request that is looked at is refused.
  func wasRefused(to route: Route)

  /// Waits until the peers that are connected now have left, but not longer than `limit`.
  func departure(within limit: Duration) async

  func close()
}
