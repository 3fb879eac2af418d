import Bus
import Wire

/// Handles the events of a ``StreamHub`` for one service.
protocol EventStreamHubHandler: AnyObject {
  /// Delivers an event without a number. By default, each client that may see the event receives
  /// it.
  func deliverVolatile(_ header: V1.EventHeader, _ body: [UInt8], to hub: StreamHub)

  /// Called for each numbered event after the hub has queued it for the clients.
  func didDeliver(_ header: V1.EventHeader, _ body: [UInt8], to hub: StreamHub)

  /// Converts an item to the form that the session's client reads. By default, returns the item
  /// unchanged.
  func form(of item: PackedSessionEvents, for session: GatewayClientSession) -> PackedSessionEvents
}

extension EventStreamHubHandler {
  func deliverVolatile(_ header: V1.EventHeader, _ body: [UInt8], to hub: StreamHub) {
    hub.pass(header, body)
  }

  func didDeliver(_ header: V1.EventHeader, _ body: [UInt8], to hub: StreamHub) {}

  func form(of item: PackedSessionEvents, for session: GatewayClientSession) -> PackedSessionEvents
  { item }
}
