internal import Bus
package import Output
internal import ZeroMQ

/// A live gateway, as registered in the runtime directory.
package struct RunningGateway: Hashable, Sendable {
  /// The name of the instance, for example `gateway-a`.
  package let instance: String
  /// The ZeroMQ endpoint of `service Operator`.
  package let operatorEndpoint: String
  /// The ZeroMQ endpoint for clients.
  package let clientEndpoint: String
  /// The endpoint of the control API; `nil` unless the gateway registers this endpoint.
  package let restEndpoint: String?

  /// Searches the directories in order, and returns the first live gateway.
  ///
  /// - Throws: ``CommandFailure`` of code `UNAVAILABLE` when no directory has a live gateway.
  package static func find(in directories: [String]) throws(CommandFailure) -> RunningGateway {
    for directory in directories {
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let instances = (try? registry.instances(of: "gateway")) ?? []
      for instance in instances where instance.isLive {
        guard let operators = try? instance.endpoint("operator"),
          let clients = try? instance.endpoint("client")
        else { continue }
        return RunningGateway(
          instance: instance.instance, operatorEndpoint: operators.text,
          clientEndpoint: clients.text, restEndpoint: instance.endpoints["rest"])
      }
    }
    throw .unavailable(
      "No gateway runs in \(directories.joined(separator: " or ")); start one with `carillon up`, "
        + "or name its directory with --runtime-dir.")
  }
}
