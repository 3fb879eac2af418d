import Bus

extension GatewayService {
  /// What the gateway's tasks are about.
  enum Work: Hashable {
    case admit(Route)
    case takeIn(SessionNumber, ServiceID)
    case announce(ServiceID, instance: String)
    case watchTiles(UInt64)
  }
}
