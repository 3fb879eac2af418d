internal import LocalInstallation
internal import Output

/// A check of settings. The check starts no service.
///
/// The check finds the service of each variable, and determines whether each service would start
/// with the settings for this service.
struct ConfigurationCheck: Sendable {
  /// The way in which the services start.
  enum Start: Hashable, Sendable {
    /// `carillon up` starts the services, and passes each service only its own settings.
    case together
    /// Another service manager starts the services, and passes each service the whole environment.
    case alone
  }

  let services: [LaunchedService]
  /// The directory of the executables.
  let executables: String
  /// The settings, and the other variables that the services receive.
  let environment: [String: String]
  let spawner: ProcessSpawner
  var start = Start.together
  /// The settings that `carillon up` passes to the services as flags; `nil` if there are none.
  var settings: InstallationSettings?

  /// Checks all settings, and reports each finding immediately.
  ///
  /// Findings do not contain values, because values may be secrets. Only the message of a service
  /// that rejects a value contains this value.
  func run(_ report: (Finding) -> Void) async {
    var flags: [String: [ServiceFlag]] = [:]
    for service in services {
      do {
        flags[service.name] = try await program(service).flags(environment: surroundings)
      } catch {
        report(Self.unanswered(service, CommandFailure(error)))
      }
    }
    // If a service does not list its flags, the check cannot determine which variables are unknown.
    let isComplete = flags.count == services.count
    let known = Set(flags.values.joined().compactMap(\.variable))
    let foreign = Set(ServiceEnvironment.passedOver(in: environment, known: known))
    let conflicts = conflicts(flags)
    for name in environment.keys.filter({ $0.hasPrefix(ServiceEnvironment.prefix) }).sorted() {
      let finding =
        foreign.contains(name)
        ? Finding(.variable, name, .ok("no setting: an orchestrator sets it for a Service"))
        : await variable(name, flags, conflicts)
      if isComplete || finding.isOK { report(finding) }
    }
    for service in services {
      guard let own = flags[service.name] else { continue }
      report(await settings(of: service, own, flags))
    }
  }

  /// Returns the ports that `carillon up` would give to several services.
  private func conflicts(_ flags: [String: [ServiceFlag]]) -> [PortConflict] {
    guard start == .together, let settings else { return [] }
    return PortConflict.all(
      services, in: settings,
      environments: flags.mapValues { ServiceEnvironment.environment($0, from: environment) })
  }

  private func variable(
    _ name: String, _ flags: [String: [ServiceFlag]], _ conflicts: [PortConflict]
  ) async -> Finding {
    if let conflict = conflicts.first(where: { $0.variables.contains(name) }) {
      return Finding(.variable, name, .failed(conflict.fault, remedy: conflict.remedy))
    }
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
      .variable, name, .failed("it is not a setting of any service", remedy: remedy))
  }

  /// Returns the closest known names. Services propose these names when they refuse a variable.
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

  /// Returns the name in `… did you mean CARILLON_MAX_ATTENDEES?`.
  static func proposal(in objection: String) -> String? {
    guard let words = objection.firstRange(of: "did you mean ") else { return nil }
    let name = objection[words.upperBound...].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
    return name.isEmpty ? nil : String(name)
  }

  private func settings(
    of service: LaunchedService, _ own: [ServiceFlag], _ flags: [String: [ServiceFlag]]
  ) async -> Finding {
    do {
      let environment = given(to: own)
      let objection = try await program(service)
        .objection(to: environment, arguments: arguments(of: service, environment))
      return Finding(
        .service, service.name,
        objection.map { .failed($0, remedy: remedy(for: service, own, flags)) }
          ?? .ok(approval(of: own)))
    } catch {
      return Self.unanswered(service, CommandFailure(error))
    }
  }

  /// Returns the flags that `carillon up` passes to a service.
  private func arguments(
    of service: LaunchedService, _ environment: [String: String]
  ) -> [String] {
    guard start == .together, let settings else { return [] }
    return service.arguments(in: settings, environment: environment)
  }

  /// Returns the action that corrects the settings of a service.
  private func remedy(
    for service: LaunchedService, _ own: [ServiceFlag], _ flags: [String: [ServiceFlag]]
  ) -> String {
    let refused =
      start == .alone ? ServiceEnvironment.unknownSettings(in: environment, flags: ["": own]) : []
    guard !refused.isEmpty else {
      return "correct the value; `\(service.program) --help` describes it"
    }
    return refused.map { name in
      let owners = services.map(\.name).filter { owner in
        flags[owner]?.contains { $0.variable == name } == true
      }
      return owners.isEmpty
        ? "correct or remove \(name)"
        : "set \(name) only in the environment of \(owners.joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  /// Returns the environment that a service with these flags receives.
  private func given(to flags: [ServiceFlag]) -> [String: String] {
    switch start {
    case .together: ServiceEnvironment.environment(flags, from: environment)
    case .alone: environment
    }
  }

  /// Returns the result of a check that passed. If `carillon up` starts the services, the text also
  /// names the variables that `carillon up` does not pass to this service, and that the service
  /// would refuse.
  private func approval(of flags: [ServiceFlag]) -> String {
    let refused = ServiceEnvironment.unknownSettings(in: environment, flags: ["": flags])
    guard start == .together, !refused.isEmpty else { return "it would start with these settings" }
    return "carillon up would start it; alone, it would refuse \(refused.joined(separator: ", "))"
  }

  private static func unanswered(
    _ service: LaunchedService, _ failure: CommandFailure
  ) -> Finding {
    Finding(
      .service, service.name,
      .failed(failure.message, remedy: "put the programs of one release into one directory"))
  }

  private func program(_ service: LaunchedService) -> ServiceProgram {
    ServiceProgram(service, in: executables, spawner: spawner)
  }

  private var surroundings: [String: String] { ServiceEnvironment.withoutSettings(environment) }
}
