internal import Bus
package import Output

/// Selects the environment variables that each service receives.
///
/// A service refuses to start with a `CARILLON_…` variable that matches none of its flags, so that
/// an operator notices a misspelt variable. So each service receives only the variables in its own
/// `--help` JSON. If no service knows a variable, this type refuses the variable. No service
/// receives the variables that an orchestrator sets for its own services.
package enum ServiceEnvironment {
  package static let prefix = "CARILLON_"

  /// The variables that this program itself reads.
  package static let own: Set = [RuntimeDirectory.variable, PythonInterpreter.variable]

  /// Returns the environments of the services.
  ///
  /// - Parameters:
  ///   - environment: The environment of this process.
  ///   - flags: The flags of each service, by the service's name.
  /// - Throws: ``CommandFailure`` with the names of the variables that no service knows.
  package static func environments(
    from environment: [String: String], flags: [String: [ServiceFlag]]
  ) throws(CommandFailure) -> [String: [String: String]] {
    let unknown = unknownSettings(in: environment, flags: flags)
    guard unknown.isEmpty else {
      throw .configuration(
        "\(unknown.joined(separator: ", ")) is not a setting of any service; correct or remove it, "
          + "and see `carillon config check`.")
    }
    return flags.mapValues { Self.environment($0, from: environment) }
  }

  /// Returns the sorted names of the settings that no service knows.
  package static func unknownSettings(
    in environment: [String: String], flags: [String: [ServiceFlag]]
  ) -> [String] {
    let known = Set(flags.values.joined().compactMap(\.variable))
    let foreign = Set(passedOver(in: environment, known: known))
    return environment.keys.filter {
      isSetting($0) && !known.contains($0) && !foreign.contains($0)
    }.sorted()
  }

  /// Returns the sorted names of variables with ``prefix`` that an orchestrator has set.
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

  /// Returns the part of an environment that a service with these flags receives.
  package static func environment(
    _ flags: [ServiceFlag], from environment: [String: String]
  ) -> [String: String] {
    let variables = Set(flags.compactMap(\.variable))
    return environment.filter { name, value in
      !name.hasPrefix(prefix)
        || variables.contains(name) && !OrchestratorVariable.isNeverSetting(name, value: value)
    }
  }

  /// Returns the environment without any setting.
  package static func withoutSettings(_ environment: [String: String]) -> [String: String] {
    environment.filter { !$0.key.hasPrefix(prefix) }
  }

  /// Returns whether a variable is a setting of a service.
  package static func isSetting(_ name: String) -> Bool {
    name.hasPrefix(prefix) && !own.contains(name)
  }
}
