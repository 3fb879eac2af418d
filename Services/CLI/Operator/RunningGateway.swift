internal import Bus
internal import ZeroMQ

/// A gateway that lives, as the registry in the runtime directory has it.
struct RunningGateway: Hashable, Sendable {
  /// For example `gateway-a`.
  let instance: String
  /// Where `service Operator` is answered.
  let operatorEndpoint: Endpoint
  /// Where clients connect.
  let clientEndpoint: Endpoint

  /// The first live gateway of the first directory that has one.
  ///
  /// - Throws: ``CommandFailure`` of code `UNAVAILABLE` when there is none.
  static func find(in directories: [String]) throws(CommandFailure) -> RunningGateway {
    for directory in directories {
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let instances = (try? registry.instances(of: "gateway")) ?? []
      for instance in instances where instance.isLive {
        guard let operators = try? instance.endpoint("operator"),
          let clients = try? instance.endpoint("client")
        else { continue }
        return RunningGateway(
          instance: instance.instance, operatorEndpoint: operators, clientEndpoint: clients)
      }
    }
    throw .unavailable(
      "No gateway runs in \(directories.joined(separator: " or ")); start one with `carillon up`, "
        + "or name its directory with --runtime-dir.")
  }
}
