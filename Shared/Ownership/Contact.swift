public import MeetingModel

/// The state of an owner's contact with a session.
public enum Contact: Hashable, Sendable {
  /// Its gateway holds the session.
  case connected(GatewayName)

  /// Its gateway lost the client, which was last heard at `lastHeard`.
  case detached(GatewayName, lastHeard: ContinuousClock.Instant)

  /// Its gateway vanished at `since`.
  case orphaned(GatewayName, since: ContinuousClock.Instant)

  /// The gateway through which it was last heard.
  public var gateway: GatewayName {
    switch self {
    case .connected(let gateway), .detached(let gateway, _), .orphaned(let gateway, _): gateway
    }
  }

  /// Whether its gateway holds the session.
  public var isConnected: Bool {
    if case .connected = self { true } else { false }
  }

  /// Returns when the session is dropped unless it returns; `nil` while it is connected.
  public func end(
    dropAfter: Duration, gatewayGrace: Duration
  ) -> ContinuousClock.Instant? {
    switch self {
    case .connected: nil
    case .detached(_, let lastHeard): lastHeard + dropAfter
    case .orphaned(_, let since): since + gatewayGrace
    }
  }

  /// Returns the contact with its moments shifted by a stall of the owner.
  public func excusingSilence(of stall: Duration) -> Contact {
    switch self {
    case .connected: self
    case .detached(let gateway, let lastHeard):
      .detached(gateway, lastHeard: lastHeard + stall)
    case .orphaned(let gateway, let since): .orphaned(gateway, since: since + stall)
    }
  }
}
