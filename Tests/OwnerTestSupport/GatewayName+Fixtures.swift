public import MeetingModel

extension GatewayName {
  public static let a = named("gateway-a")
  public static let b = named("gateway-b")

  private static func named(_ text: String) -> GatewayName {
    guard let name = GatewayName(text) else {
      preconditionFailure("The fixture's gateway name is wrong.")
    }
    return name
  }
}
