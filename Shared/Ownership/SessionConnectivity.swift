public import MeetingModel

/// The state of an owner's contact with a session.
public enum SessionConnectivity: Hashable, Sendable {
  /// The gateway has a connection to the session's client.
  case connected(GatewayName)

  /// The gateway lost the connection to the client. The gateway last received data from the client
  /// at `lastHeard`.
  case detached(GatewayName, lastHeard: ContinuousClock.Instant)

  /// The session's gateway disappeared at `since`.
  case orphaned(GatewayName, since: ContinuousClock.Instant)

  /// The gateway that last reported the session.
  public var gateway: GatewayName {
    switch self {
    case .connected(let gateway), .detached(let gateway, _), .orphaned(let gateway, _): gateway
    }
  }

  /// Whether the gateway has a connection to the session's client.
  public var isConnected: Bool {
    if case .connected = self { true } else { false }
  }

  /// Returns the time at which the owner drops the session unless the client returns; `nil` while
  /// the client is connected.
  public func end(
    dropAfter: Duration, gatewayGrace: Duration
  ) -> ContinuousClock.Instant? {
    switch self {
    case .connected: nil
    case .detached(_, let lastHeard): lastHeard + dropAfter
    case .orphaned(_, let since): since + gatewayGrace
    }
  }

  /// Returns this state with all times moved later by the length of the owner's stall.
  public func excusingSilence(of stall: Duration) -> SessionConnectivity {
    switch self {
    case .connected: self
    case .detached(let gateway, let lastHeard):
      .detached(gateway, lastHeard: lastHeard + stall)
    case .orphaned(let gateway, let since): .orphaned(gateway, since: since + stall)
    }
  }
}
