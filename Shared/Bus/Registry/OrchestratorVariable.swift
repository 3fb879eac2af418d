/// Variables that an orchestrator sets for a Service, beside the settings of Carillon.
///
/// For a Service named `carillon-rest` the kubelet sets `CARILLON_REST_SERVICE_HOST`,
/// `CARILLON_REST_SERVICE_PORT`, one such for each named port, and those of Docker's links:
/// `CARILLON_REST_PORT=tcp://10.0.0.1:8080`, `CARILLON_REST_PORT_8080_TCP`, and beside the latter
/// `…_PROTO`, `…_PORT` and `…_ADDR`. Some have the name of a setting.
public enum OrchestratorVariable {
  /// Whether a variable is never a setting, whatever settings there are: its name ends in `_PORT`
  /// and its value is no number but an address.
  public static func isNeverSetting(_ name: String, value: String) -> Bool {
    name.hasSuffix("_PORT") && protocols.contains { value.hasPrefix("\($0.lowercased())://") }
  }

  /// Whether a variable that is no setting is one that the orchestrator sets.
  public static func isOne(_ name: String, value: String) -> Bool {
    isNeverSetting(name, value: value) || isOfService(name) || isOfLink(name)
  }

  private static let protocols = ["TCP", "UDP", "SCTP"]

  /// `…_SERVICE_HOST`, `…_SERVICE_PORT` and `…_SERVICE_PORT_NAME`.
  private static func isOfService(_ name: String) -> Bool {
    name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT")
      || name.contains("_SERVICE_PORT_") && !name.hasSuffix("_")
  }

  /// `…_PORT_8080_TCP` and the three beside it.
  private static func isOfLink(_ name: String) -> Bool {
    var words = name.split(separator: "_", omittingEmptySubsequences: false)[...]
    if let last = words.last, ["PROTO", "PORT", "ADDR"].contains(last) { words.removeLast() }
    guard let transport = words.popLast(), protocols.contains(String(transport)),
      let port = words.popLast(), UInt16(port) != nil
    else { return false }
    return words.count > 1 && words.last == "PORT"
  }
}
