import MeetingModel

/// Whether the board can count on hearing of a session.
enum Contact: Hashable, Sendable {
  /// Its gateway has it.
  case connected(GatewayName)
  /// Its gateway lost it; it was last heard then.
  case detached(GatewayName, lastHeard: ContinuousClock.Instant)
  /// Its gateway vanished then.
  case orphaned(GatewayName, since: ContinuousClock.Instant)

  /// Through which gateway it was last heard.
  var gateway: GatewayName {
    switch self {
    case .connected(let gateway), .detached(let gateway, _), .orphaned(let gateway, _): gateway
    }
  }

  var isConnected: Bool {
    if case .connected = self { true } else { false }
  }

  /// When it is given up unless it comes back.
  func end(by rules: VideoTilesRules) -> ContinuousClock.Instant? {
    switch self {
    case .connected: nil
    case .detached(_, let lastHeard): lastHeard + rules.dropAfter
    case .orphaned(_, let since): since + rules.gatewayGrace
    }
  }
}
