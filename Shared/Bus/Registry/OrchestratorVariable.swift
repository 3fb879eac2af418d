/// Variables that an orchestrator sets for a Service, in addition to Carillon's settings.
///
/// For a Service named `carillon-rest`, the kubelet sets `CARILLON_REST_SERVICE_HOST`,
/// `CARILLON_REST_SERVICE_PORT`, and another variable for each named port. The kubelet also sets
/// Docker's link variables: `CARILLON_REST_PORT=tcp://10.0.0.1:8080`,
/// `CARILLON_REST_PORT_8080_TCP`, and `CARILLON_REST_PORT_8080_TCP` with the suffixes `_PROTO`,
/// `_PORT` and `_ADDR`. Some of these variables have the name of a setting.
public enum OrchestratorVariable {
  /// Returns whether a variable cannot be a setting: its name ends in `_PORT` and its value is an
  /// address instead of a number.
  public static func isNeverSetting(_ name: String, value: String) -> Bool {
    name.hasSuffix("_PORT") && protocols.contains { value.hasPrefix("\($0.lowercased())://") }
  }

  /// Returns whether a variable that is not a setting has the form of a variable that an
  /// orchestrator sets.
  public static func isOne(_ name: String, value: String) -> Bool {
    isNeverSetting(name, value: value) || isOfService(name) || isOfLink(name)
  }

  private static let protocols = ["TCP", "UDP", "SCTP"]

  /// Matches `…_SERVICE_HOST`, `…_SERVICE_PORT` and `…_SERVICE_PORT_NAME`.
  private static func isOfService(_ name: String) -> Bool {
    name.hasSuffix("_SERVICE_HOST") || name.hasSuffix("_SERVICE_PORT")
      || name.contains("_SERVICE_PORT_") && !name.hasSuffix("_")
  }

  /// Matches `…_PORT_8080_TCP` and its three variants.
  private static func isOfLink(_ name: String) -> Bool {
    var words = name.split(separator: "_", omittingEmptySubsequences: false)[...]
    if let last = words.last, ["PROTO", "PORT", "ADDR"].contains(last) { words.removeLast() }
    guard let transport = words.popLast(), protocols.contains(String(transport)),
      let port = words.popLast(), UInt16(port) != nil
    else { return false }
    return words.count > 1 && words.last == "PORT"
  }
}
