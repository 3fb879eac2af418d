internal import Bus
internal import CoreMetrics
internal import Foundation
internal import Logging
internal import PostgreSQL
internal import ServiceLifecycle
internal import UnixSignals

extension ServiceCommand {
  /// Prepares the process, runs the services and returns when they have stopped.
  public func run() async throws {
    // If a peer disconnects, a write to this peer must fail, and must not end the process.
    signal(SIGPIPE, SIG_IGN)
    // From now on, only this user can access files that the process creates.
    umask(0o077)
    ProcessLimits.raiseOpenFiles()
    let started = Date()
    let environment = ProcessInfo.processInfo.environment
    let output = LogOutput(self.host, service: Self.serviceName, environment: environment)
    let host = try makeHost(
      logger: output.logger(label: Self.serviceName), environment: environment)
    let lock = try InstanceLock(
      at: host.path(of: "http", extension: "lock"), instance: host.instance)
    defer { lock.release() }
    // The logs and metrics of other libraries use the same outputs.
    LoggingSystem.bootstrap { output.handler(label: $0) }
    MetricsSystem.bootstrap(RegistryMetricsFactory(registry: host.metrics))
    ProcessMetrics.register(
      in: host.metrics, service: host.service, version: BuildVersion.current, startedAt: started)
    log(start: host)
    log(passedOverIn: environment, host.logger)
    // This code traps signals before it makes the services, so that an early signal also has an
    // effect.
    let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
    let services: [any Service]
    do {
      services = try await makeServices(in: host)
    } catch {
      throw HostError.lasting(error) ?? error
    }
    let supervisor = Supervisor(
      services: healthServers(of: host) + services, health: host.health, logger: host.logger,
      drainDeadline: host.drainDeadline, leave: { _exit($0) })
    try await supervisor.run(until: signals)
    host.logger.notice("Stopped")
  }

  /// Checks that the path of the requested runtime directory is short enough for the sockets of
  /// this instance. Does not create the directory.
  func checkRequestedDirectory() throws(HostError) {
    guard let requested = host.runtimeDir else { return }
    try DirectoryRules.checkSocketPaths(
      in: DirectoryRules.absolutePath(of: requested),
      instance: host.instanceName(of: Self.serviceName))
  }

  private func makeHost(logger: Logger, environment: [String: String]) throws -> Host {
    try checkRequestedDirectory()
    let instance = host.instanceName(of: Self.serviceName)
    let user = getuid()
    let runtime = try DirectoryRules.makeRuntime(
      requested: host.runtimeDir,
      candidates: DirectoryRules.runtimeCandidates(in: environment, user: user), user: user)
    try DirectoryRules.checkSocketPaths(in: runtime, instance: instance)
    let data = try DirectoryRules.chooseData(
      requested: host.dataDir, candidates: DirectoryRules.dataCandidates(in: environment))
    return Host(
      service: Self.serviceName, instance: instance, runtimeDirectory: runtime,
      dataDirectory: data,
      keys: host.keyDir.map { KeyDirectory(DirectoryRules.absolutePath(of: $0)) },
      store: try host.store.map { try PostgresAddress($0) }, logger: logger,
      drainDeadline: .seconds(host.drainSeconds))
  }

  private func log(start host: Host) {
    var metadata: Logger.Metadata = [LogMetadataKey.version: "\(BuildVersion.current)"]
    for (name, value) in SettingsReport.settings(of: self) {
      metadata[LogMetadataKey.setting + name] = "\(value)"
    }
    metadata[LogMetadataKey.setting + "runtime-dir"] = "\(host.runtimeDirectory)"
    metadata[LogMetadataKey.setting + "data-dir"] = "\(host.dataDirectory)"
    metadata[LogMetadataKey.setting + "instance"] = "\(host.instance)"
    host.logger.notice("Starting", metadata: metadata)
  }

  private func log(passedOverIn environment: [String: String], _ logger: Logger) {
    guard EnvironmentFlags.canSetFlags(environment),
      let flags = try? EnvironmentSettableFlag.all(of: Self.self)
    else { return }
    let names = EnvironmentFlags.passedOver(in: environment, for: flags)
    guard !names.isEmpty else { return }
    logger.notice(
      "Ignoring environment variables of an orchestrator",
      metadata: [LogMetadataKey.variables: "\(names.joined(separator: " "))"])
  }

  private func healthServers(of host: Host) -> [HealthServer] {
    var addresses = [HealthServer.Address.unixSocket(path: host.ipcPath("http"))]
    if let port = self.host.healthPort { addresses.append(.loopback(port: port)) }
    return addresses.map {
      HealthServer(
        address: $0, health: host.health, metrics: host.metrics, logger: host.logger)
    }
  }
}
