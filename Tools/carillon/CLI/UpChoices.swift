internal import LocalInstallation
internal import Output

/// What `carillon up` chooses where none of its own flags says it: what the environment says, which
/// services heed too, or else a default.
struct UpChoices {
  private let environment: [String: String]

  init(_ environment: [String: String]) { self.environment = environment }

  /// The folder of the page; `nil` where the environment says nothing.
  var webRoot: String? { setting("web-root") }

  /// Where the key of the operator's page is; `nil` where the environment says nothing.
  var operatorKeyFile: String? { setting(ServiceDescription.operatorKeyFlag) }

  /// Where REST is served; 0 for any free port.
  ///
  /// - Throws: ``CommandFailure`` for what is no port.
  func restPort() throws(CommandFailure) -> UInt16 {
    // An address is no port: a Kubernetes Service of that name puts one there.
    guard let text = setting("rest-port"), !text.hasPrefix("tcp://"), !text.hasPrefix("udp://")
    else { return 8080 }
    guard let port = UInt16(text) else { throw wrong("rest-port", "0-65535", text) }
    return port
  }

  /// Seconds a service may take to stop.
  ///
  /// - Throws: ``CommandFailure`` for what is no number from 0 to 3600.
  func drainSeconds() throws(CommandFailure) -> Int {
    guard let text = setting("drain-seconds") else { return 10 }
    guard let seconds = Int(text), (0...3600).contains(seconds) else {
      throw wrong("drain-seconds", "0-3600", text)
    }
    return seconds
  }

  private func setting(_ flag: String) -> String? {
    environment[ServiceFlag.variable(for: flag)].flatMap { $0.isEmpty ? nil : $0 }
  }

  private func wrong(_ flag: String, _ range: String, _ text: String) -> CommandFailure {
    .invalid("\(ServiceFlag.variable(for: flag)) must be \(range); got \(text).")
  }
}
