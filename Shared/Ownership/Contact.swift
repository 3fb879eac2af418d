public import MeetingModel

/// Whether an owner can count on hearing of a session.
public enum Contact: Hashable, Sendable {
  /// Its gateway has it.
  case connected(GatewayName)

  /// Its gateway lost it; it was last heard then.
  case detached(GatewayName, lastHeard: ContinuousClock.Instant)

  /// Its gateway vanished then.
  case orphaned(GatewayName, since: ContinuousClock.Instant)

  /// The gateway through which it was last heard.
  public var gateway: GatewayName {
    switch self {
    case .connected(let gateway), .detached(let gateway, _), .orphaned(let gateway, _): gateway
    }
  }

  /// Whether its gateway has it.
  public var isConnected: Bool {
    if case .connected = self { true } else { false }
  }

  /// When it is given up unless it comes back; `nil` while it is connected.
  public func end(
    dropAfter: Duration, gatewayGrace: Duration
  ) -> ContinuousClock.Instant? {
    switch self {
    case .connected: nil
    case .detached(_, let lastHeard): lastHeard + dropAfter
    case .orphaned(_, let since): since + gatewayGrace
    }
  }

  /// The same after its owner stood still so long.
  public func excusingSilence(of stall: Duration) -> Contact {
    switch self {
    case .connected: self
    case .detached(let gateway, let lastHeard):
      .detached(gateway, lastHeard: lastHeard + stall)
    case .orphaned(let gateway, let since): .orphaned(gateway, since: since + stall)
    }
  }
}
