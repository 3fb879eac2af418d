internal import Bus
package import Output

/// Which variables of our environment each service is given.
///
/// A service stops at a `CARILLON_…` variable that stands for none of its flags, so that a misspelt
/// one is noticed. Each service is therefore given those it knows, which its own `--help` in JSON
/// tells, and a variable that no service knows is refused here. What an orchestrator sets for a
/// Service of its own, no service is given.
package enum ServiceEnvironment {
  package static let prefix = "CARILLON_"

  /// Variables that this program reads itself.
  package static let own: Set = [RuntimeDirectory.variable, PythonInterpreter.variable]

  /// Environments for services.
  ///
  /// - Parameters:
  ///   - environment: Ours.
  ///   - flags: The flags of each service, by its name.
  /// - Throws: ``CommandFailure`` naming the variables that no service knows.
  package static func environments(
    from environment: [String: String], flags: [String: [ServiceFlag]]
  ) throws(CommandFailure) -> [String: [String: String]] {
    let unknown = unknownSettings(in: environment, flags: flags)
    guard unknown.isEmpty else {
      throw .precondition(
        "\(unknown.joined(separator: ", ")) is no setting of any service; correct or remove it, "
          + "and see `carillon config check`.")
    }
    return flags.mapValues { Self.environment($0, from: environment) }
  }

  /// The settings that no service knows, by name.
  package static func unknownSettings(
    in environment: [String: String], flags: [String: [ServiceFlag]]
  ) -> [String] {
    let known = Set(flags.values.joined().compactMap(\.variable))
    let foreign = Set(passedOver(in: environment, known: known))
    return environment.keys.filter {
      isSetting($0) && !known.contains($0) && !foreign.contains($0)
    }.sorted()
  }

  /// The variables that begin with ``prefix`` and are an orchestrator's, by name.
  ///
  /// - Parameter known: The variables that services know.
  package static func passedOver(
    in environment: [String: String], known: Set<String>
  ) -> [String] {
    environment.filter { name, value in
      isSetting(name)
        && (known.contains(name)
          ? OrchestratorVariable.isNeverSetting(name, value: value)
          : OrchestratorVariable.isOne(name, value: value))
    }.keys.sorted()
  }

  /// What a service with these flags is given of an environment.
  package static func environment(
    _ flags: [ServiceFlag], from environment: [String: String]
  ) -> [String: String] {
    let variables = Set(flags.compactMap(\.variable))
    return environment.filter { name, value in
      !name.hasPrefix(prefix)
        || variables.contains(name) && !OrchestratorVariable.isNeverSetting(name, value: value)
    }
  }

  /// The environment without any setting.
  package static func withoutSettings(_ environment: [String: String]) -> [String: String] {
    environment.filter { !$0.key.hasPrefix(prefix) }
  }

  /// Whether a variable is meant for a service.
  package static func isSetting(_ name: String) -> Bool {
    name.hasPrefix(prefix) && !own.contains(name)
  }
}
