internal import Bus
package import Output
internal import ZeroMQ

/// A gateway that lives, as the registry in the runtime directory has it.
package struct RunningGateway: Hashable, Sendable {
  /// The name of the instance, for example `gateway-a`.
  package let instance: String
  /// ZeroMQ endpoint at which `service Operator` is answered.
  package let operatorEndpoint: String
  /// ZeroMQ endpoint for clients.
  package let clientEndpoint: String
  /// Where the control API is served, if it says so.
  package let restEndpoint: String?

  /// The first live gateway of the first directory that has one.
  ///
  /// - Throws: ``CommandFailure`` of code `UNAVAILABLE` when there is none.
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
