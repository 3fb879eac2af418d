public import Bus
public import MeetingModel

/// The connection by which each gateway called last: some requests do not name who sends them.
public struct GatewayRoutes {
  private var routes: [GatewayName: Route] = [:]

  /// A gateway named itself in a request that came by this connection.
  public mutating func note(_ gateway: GatewayName, at route: Route) { routes[gateway] = route }

  /// The gateway that called by this connection last; `nil` if none is known.
  public subscript(route: Route) -> GatewayName? { routes.first { $0.value == route }?.key }

  /// The connection by which the gateway called last; `nil` if it never did.
  public func route(of gateway: GatewayName) -> Route? { routes[gateway] }
}
