internal import LocalInstallation
internal import Output

/// The settings of `carillon up` that no flag of `carillon up` sets.
///
/// The environment contains these settings, and the services read the same environment. Settings
/// that the environment does not contain have defaults.
struct UpEnvironment {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  /// The folder of the web page; `nil` if the environment sets no folder.
  var webRoot: String? { setting("web-root") }

  /// The path of the operator page's key; `nil` if the environment sets no path.
  var operatorKeyFile: String? { setting(LaunchedService.operatorKeyFlag) }

  /// Returns the port of REST; 0 for any free port.
  ///
  /// - Throws: ``CommandFailure`` for a malformed port.
  func restPort() throws(CommandFailure) -> UInt16 {
    // A Kubernetes Service `carillon-rest` sets CARILLON_REST_PORT to an address. This method
    // ignores the address.
    guard let text = setting("rest-port"), !text.hasPrefix("tcp://"), !text.hasPrefix("udp://")
    else { return 8080 }
    guard let port = UInt16(text) else { throw wrong("rest-port", "0-65535", text) }
    return port
  }

  /// Returns the seconds that a service may take to stop.
  ///
  /// - Throws: ``CommandFailure`` unless the value is a number from 0 to 3600.
  func drainSeconds() throws(CommandFailure) -> Int {
    guard let text = setting("drain-seconds") else { return 10 }
    guard let seconds = Int(text), (0...3600).contains(seconds) else {
      throw wrong("drain-seconds", "0-3600", text)
    }
    return seconds
  }

  /// Returns the settings of a `carillon up` without flags. Creates no directory.
  ///
  /// - Parameter executables: The directory of the executables.
  /// - Throws: ``CommandFailure`` for a malformed value.
  func settings(_ executables: String) throws(CommandFailure) -> InstallationSettings {
    InstallationSettings(
      runtimeDirectory: RuntimeDirectory.places(requested: nil, environment: environment)[0],
      restPort: try restPort(), allowsUnsigned: false,
      webRoot: webRoot.map(RuntimeDirectory.absolute) ?? WebRoot.find(beside: executables),
      drainSeconds: try drainSeconds(), executables: executables,
      environment: ServiceEnvironment.withoutSettings(environment))
  }

  private func setting(_ flag: String) -> String? {
    environment[ServiceFlag.variable(for: flag)].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func wrong(_ flag: String, _ range: String, _ text: String) -> CommandFailure {
    .invalid("\(ServiceFlag.variable(for: flag)) must be \(range); got \(text).")
  }
}
