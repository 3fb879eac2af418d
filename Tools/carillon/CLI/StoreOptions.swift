internal import ArgumentParser
internal import Bus
internal import Cluster
internal import Foundation
internal import LocalInstallation
internal import Output
internal import PostgreSQL

/// Which store an installation of several machines has.
struct StoreOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The PostgreSQL of an installation of several machines: postgresql://USER@HOST/NAME.",
      discussion: "Default: that of the gateway that runs here, else $CARILLON_STORE, else none.",
      valueName: "uri"))
  var store: String?

  /// The store; `nil` for an installation of this machine alone.
  ///
  /// - Parameter gateway: Tells what it was started with.
  /// - Throws: ``CommandFailure`` for what is no address.
  func address(of gateway: RunningProcess? = nil) throws(CommandFailure) -> PostgresAddress? {
    let text =
      store ?? gateway?.value(ofFlag: "store")
      ?? ProcessInfo.processInfo.environment["CARILLON_STORE"]
    guard let text, !text.isEmpty else { return nil }
    do { return try PostgresAddress(text) } catch { throw .precondition("--store: \(error)") }
  }

  /// Where instances are found that run in a runtime directory, or beside it.
  func registry(in directory: String) throws(CommandFailure) -> any Registry {
    let local = RuntimeDirectoryRegistry(runtimeDirectory: directory)
    let process = RunningProcess.gateway(in: directory)
    guard let address = try address(of: process) else { return local }
    return ClusterRegistry(
      address, beside: local, on: HostName.of(runtimeDirectory: directory))
  }
}

extension RunningProcess {
  /// A gateway that runs in a runtime directory, if its process can be seen from here.
  static func gateway(in directory: String) -> RunningProcess? {
    let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
    let instances = (try? registry.instances(of: "gateway")) ?? []
    return instances.lazy.filter(\.isLive)
      .compactMap { InstanceProcess(of: $0, in: directory).visible }.first
  }
}
