internal import ArgumentParser
internal import Bus
internal import Cluster
internal import Foundation
internal import LocalInstallation
internal import Output
internal import PostgreSQL

/// The options that select the store of an installation on several machines.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "PostgreSQL database of an installation on several machines: postgresql://USER@HOST/NAME.",
      discussion:
        "Default: the database of the gateway that runs here, else $CARILLON_STORE, else none.",
      valueName: "uri"))
  var store: String?

  /// Returns the store's address; `nil` for an installation on this machine alone.
  ///
  /// - Parameter gateway: A running gateway. The command reads this gateway's `--store` flag.
  /// - Throws: ``CommandFailure`` for a malformed address.
  func address(of gateway: ProcfsProcess? = nil) throws(CommandFailure) -> PostgresAddress? {
    let text =
      store ?? gateway?.value(ofFlag: "store")
      ?? ProcessInfo.processInfo.environment["CARILLON_STORE"]
    guard let text, !text.isEmpty else { return nil }
    do { return try PostgresAddress(text) } catch { throw .precondition("--store: \(error)") }
  }

  /// Returns the registry of the instances in a runtime directory, or in a shared store.
  func registry(in directory: String) throws(CommandFailure) -> any Registry {
    let local = RuntimeDirectoryRegistry(runtimeDirectory: directory)
    let process = ProcfsProcess.gateway(in: directory)
    guard let address = try address(of: process) else { return local }
    return ClusterRegistry(
      address, beside: local, on: HostIdentity.of(runtimeDirectory: directory))
  }
}

extension ProcfsProcess {
  /// Returns a gateway that runs in a runtime directory, if this process can see the gateway's
  /// process.
  static func gateway(in directory: String) -> ProcfsProcess? {
    let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
    let instances = (try? registry.instances(of: "gateway")) ?? []
    return instances.lazy.filter(\.isLive)
      .compactMap { InstanceProcess(of: $0, in: directory).visible }.first
  }
}
