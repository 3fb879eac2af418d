internal import LocalInstallation
internal import Output

/// Examines settings without starting anything: which variables are whose, and whether each
/// service would start with its own.
struct ConfigurationCheck: Sendable {
  /// How the services would be started.
  enum Start: Hashable, Sendable {
    /// By `carillon up`, which gives each service its own settings.
    case together
    /// By another service manager, which gives each service the whole environment.
    case alone
  }

  let services: [ServiceDescription]
  /// Where their executables are.
  let executables: String
  /// The settings, and whatever else the services are to see.
  let environment: [String: String]
  let spawner: ProcessSpawner
  var start = Start.together

  /// Examines all, and tells each finding as it is made.
  ///
  /// Values are not shown: they may hold secrets. A service that objects to one does show it.
  func run(_ report: (Finding) -> Void) async {
    var flags: [String: [ServiceFlag]] = [:]
    for service in services {
      do {
        flags[service.name] = try await program(service).flags(environment: surroundings)
      } catch {
        report(Self.unanswered(service, CommandFailure(error)))
      }
    }
    // With a service that does not say what it knows, nobody can say what is unknown.
    let isComplete = flags.count == services.count
    let known = Set(flags.values.joined().compactMap(\.variable))
    let foreign = Set(ServiceEnvironment.passedOver(in: environment, known: known))
    for name in environment.keys.filter({ $0.hasPrefix(ServiceEnvironment.prefix) }).sorted() {
      let finding =
        foreign.contains(name)
        ? Finding(.variable, name, .ok("no setting: an orchestrator sets it for a Service"))
        : await variable(name, flags)
      if isComplete || finding.isOK { report(finding) }
    }
    for service in services {
      guard let own = flags[service.name] else { continue }
      report(await settings(of: service, own))
    }
  }

  private func variable(_ name: String, _ flags: [String: [ServiceFlag]]) async -> Finding {
    var readers = services.map(\.name).filter { service in
      flags[service]?.contains { $0.variable == name } == true
    }
    if ServiceEnvironment.own.contains(name) { readers.append("carillon") }
    guard readers.isEmpty else {
      return Finding(.variable, name, .ok("read by \(readers.joined(separator: ", "))"))
    }
    let nearest = await nearestNames(to: name)
    let remedy =
      nearest.isEmpty
      ? "remove it; `carillon config doc` lists those there are"
      : "correct it to \(nearest.joined(separator: " or ")), or remove it"
    return Finding(
      .variable, name, .failed("it is no setting of any service", remedy: remedy))
  }

  /// What the services think it was meant to be: each refuses it with the nearest name of its own.
  private func nearestNames(to name: String) async -> [String] {
    var names: [String] = []
    for service in services {
      let objection = try? await program(service)
        .objection(to: surroundings.merging([name: "1"]) { $1 })
      guard let nearest = Self.proposal(in: (objection ?? nil) ?? ""), !names.contains(nearest)
      else { continue }
      names.append(nearest)
    }
    return names
  }

  /// The name in `… did you mean CARILLON_MAX_ATTENDEES?`.
  static func proposal(in objection: String) -> String? {
    guard let words = objection.firstRange(of: "did you mean ") else { return nil }
    let name = objection[words.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }

  private func settings(of service: ServiceDescription, _ flags: [ServiceFlag]) async -> Finding {
    do {
      let objection = try await program(service).objection(to: given(to: flags))
      return Finding(
        .service, service.name,
        objection.map { .failed($0, remedy: "correct the value; `\(service.name) --help` tells") }
          ?? .ok(approval(of: flags)))
    } catch {
      return Self.unanswered(service, CommandFailure(error))
    }
  }

  /// What a service with these flags is given of the environment.
  private func given(to flags: [ServiceFlag]) -> [String: String] {
    switch start {
    case .together: ServiceEnvironment.environment(flags, from: environment)
    case .alone: environment
    }
  }

  /// Names what the service would refuse if `carillon up` did not keep it from the service.
  private func approval(of flags: [ServiceFlag]) -> String {
    let refused = ServiceEnvironment.unknownSettings(in: environment, flags: ["": flags])
    guard start == .together, !refused.isEmpty else { return "it would start with these settings" }
    return "carillon up would start it; alone, it would refuse \(refused.joined(separator: ", "))"
  }

  private static func unanswered(
    _ service: ServiceDescription, _ failure: CommandFailure
  ) -> Finding {
    Finding(
      .service, service.name,
      .failed(failure.message, remedy: "put the programs of one release into one directory"))
  }

  private func program(_ service: ServiceDescription) -> ServiceProgram {
    ServiceProgram(service, in: executables, spawner: spawner)
  }

  private var surroundings: [String: String] { ServiceEnvironment.withoutSettings(environment) }
}
