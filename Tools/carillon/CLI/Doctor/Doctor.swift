internal import Bus
internal import Cluster
internal import Glibc
internal import LocalInstallation
internal import Output
internal import PostgreSQL

/// Examines an installation from outside, as its operator could do by hand.
///
/// The examination changes nothing, except that it creates a meeting and deletes this meeting
/// again.
struct Doctor: Sendable {
  /// The runtime directory.
  let directory: String
  /// The user who must own private files.
  var user: UInt32 = getuid()
  /// The directory of the stores, if the operator names one.
  var dataDirectory: String?
  /// The path of the installation's key, if the operator names one.
  var tokenKeyFile: String?
  /// The store of an installation on several machines.
  var sharedStore: PostgresAddress?
  /// The services that must run.
  var services: [String] = LaunchedService.all.filter { !$0.isOptional }.map(\.name)
  var environment: [String: String] = [:]

  /// Runs all checks, and reports each finding immediately.
  func examine(_ report: (Finding) -> Void) async {
    let place = runtimeDirectory()
    report(place)
    guard FileAttributes(at: directory)?.kind == .directory else {
      for check: Finding.Check in [
        .service, .endpoint, .readiness, .version, .browsers, .store, .engines, .roundTrip,
      ] {
        report(Finding(check, directory, .skipped("the runtime directory does not exist")))
      }
      return
    }
    let instances = registered()
    for finding in serviceFindings(instances) { report(finding) }
    // Sockets and processes of other machines are not visible here.
    let live = instances.filter { $0.isLive && $0.isHere }
    for instance in live {
      for finding in await endpoints(of: instance) { report(finding) }
    }
    for finding in await unclaimedEndpoints(beside: instances) { report(finding) }
    for instance in live {
      report(await readiness(of: instance))
      report(await version(of: instance))
      if instance.service == "media" { report(await browsers(at: instance)) }
    }
    if let sharedStore { report(finding(of: sharedStore)) }
    for finding in storeFindings(gateway: live.first { $0.service == "gateway" }) {
      report(finding)
    }
    report(await engines())
    report(await roundTrip())
  }

  // MARK: - The runtime directory

  /// Checks that the directory exists, belongs to this user, and does not permit any other user to
  /// write, as the services require.
  func runtimeDirectory() -> Finding {
    func finding(_ outcome: Finding.Outcome) -> Finding {
      Finding(.runtimeDirectory, directory, outcome)
    }
    guard let facts = FileAttributes(at: directory) else {
      return finding(
        .failed(
          "it does not exist",
          remedy:
            "start the services with `carillon up`, or name their directory with --runtime-dir"))
    }
    guard facts.kind == .directory else {
      return finding(
        .failed("it is not a directory", remedy: "name the real directory with --runtime-dir"))
    }
    guard facts.owner == user else {
      return finding(
        .failed(
          "it belongs to user \(facts.owner), and this is user \(user)",
          remedy: "run the services and this command as the same user"))
    }
    guard facts.mode & 0o022 == 0 else {
      return finding(
        .failed(
          "its mode is \(facts.octalMode): other users may put sockets there",
          remedy: "chmod 0700 \(directory)"))
    }
    return finding(.ok("this user's, mode \(facts.octalMode)"))
  }

  // MARK: - The services

  /// Returns all registered instances of all services.
  private func registered() -> [RegisteredInstance] {
    let local = RuntimeDirectoryRegistry(runtimeDirectory: directory)
    let registry: any Registry =
      sharedStore.map { address in
        ClusterRegistry(address, beside: local, on: HostIdentity.of(runtimeDirectory: directory))
      } ?? local
    let others = ((try? registry.services()) ?? []).filter { !services.contains($0) }
    return (services + others).flatMap { (try? registry.instances(of: $0)) ?? [] }
  }

  /// Checks that every service has an instance, and that every instance is live.
  private func serviceFindings(_ instances: [RegisteredInstance]) -> [Finding] {
    let absent = services.filter { service in !instances.contains { $0.service == service } }
    return absent.map { service in
      Finding(
        .service, service,
        .failed(
          "it does not run",
          remedy: "start all services with `carillon up`, or this one with `\(service) "
            + "--runtime-dir \(directory)`"))
    } + instances.map { Finding(.service, $0.instance, life(of: $0)) }
  }

  private func life(of instance: RegisteredInstance) -> Finding.Outcome {
    guard instance.isHere else { return life(onOtherHost: instance) }
    let process = self.process(of: instance)
    if instance.isLive { return .ok("\(process.name), term \(instance.term)") }
    return silence(of: instance, process)
  }

  private func life(onOtherHost instance: RegisteredInstance) -> Finding.Outcome {
    guard !instance.isLive else {
      return .ok("a process on host \(instance.host), term \(instance.term)")
    }
    return .failed(
      "it has sent no heartbeat for three seconds",
      remedy: "check on its host \(instance.host) whether its process runs")
  }

  /// Returns the finding about an instance on this host whose heartbeat is stale.
  func silence(of instance: RegisteredInstance, _ process: InstanceProcess) -> Finding.Outcome {
    let silence = "\(process.name) has sent no heartbeat for three seconds"
    let look = "check whether it is stopped or hangs"
    switch process {
    case .here(let seen):
      return .failed(silence, remedy: "\(look); `kill -KILL \(seen.id)` and start it again")
    case .elsewhere:
      return .failed(silence, remedy: "\(look), and \(process.restart(instance.instance))")
    case .gone:
      let record = "\(directory)/registry/\(instance.service)/\(instance.instance).json"
      return .failed(
        "its process died",
        remedy:
          "read its last log lines, and start it again; if it will not return, remove \(record)")
    }
  }

  /// Returns the process of an instance on this host.
  func process(of instance: RegisteredInstance) -> InstanceProcess {
    InstanceProcess(of: instance, in: directory)
  }
}
