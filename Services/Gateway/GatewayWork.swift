import Bus

/// What a task of the gateway is about: a newer one about the same replaces it.
enum GatewayWork: Hashable {
  case admit(Route)
  case takeIn(SessionNumber, ServiceID)
  case announce(ServiceID, instance: String)
  case watchTiles(UInt64)
  case recordRosters

  /// A browser is let in.
  case admitBrowser(BrowserNumber)

  /// Something that a browser asked for, each for itself.
  case answerBrowser(UInt64)
}
