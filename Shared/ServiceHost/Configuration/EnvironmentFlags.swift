internal import Bus

/// Flags from environment variables: `CARILLON_MAX_ATTENDEES=300` becomes `--max-attendees=300`.
///
/// This type converts each variable to a flag, and puts these flags before the flags of the command
/// line. Then one parser reads all flags, so the command line takes precedence. This type treats an
/// empty variable as unset. A repeating option takes a list separated by commas. This type skips
/// variables that an orchestrator sets for its own Services.
enum EnvironmentFlags {
  /// The prefix of this package's variables.
  static let prefix = "CARILLON_"

  /// Returns whether an environment contains a variable with ``prefix``. If not,
  /// ``arguments(from:for:given:service:)`` and ``passedOver(in:for:)`` return empty lists.
  static func canSetFlags(_ environment: [String: String]) -> Bool {
    environment.keys.contains { $0.hasPrefix(prefix) }
  }

  /// Returns the flags that an environment's variables set, in the order of the variables' names.
  ///
  /// - Parameters:
  ///   - environment: The process's environment. Only names with ``prefix`` matter.
  ///   - flags: The flags of the command.
  ///   - given: The command line. If the command line contains a repeating option, this function
  ///     ignores the option's variable. Without this rule, the variable would extend the list, and
  ///     the command line would not take precedence.
  ///   - service: The service's name, for messages.
  /// - Throws: ``HostError/configuration(_:)`` if a variable sets no flag, or if the value of a
  ///   boolean flag is neither true nor false. For an unknown variable, the error names the
  ///   services that have this variable, or the nearest valid name.
  static func arguments(
    from environment: [String: String], for flags: [EnvironmentSettableFlag], given: [String],
    service: String
  ) throws(HostError) -> [String] {
    let known = Dictionary(flags.map { ($0.variable, $0) }) { first, _ in first }
    let foreign = Set(passedOver(in: environment, for: flags))
    let variables = environment.filter { $0.key.hasPrefix(prefix) && !foreign.contains($0.key) }
      .sorted { $0.key < $1.key }
    let unknown = variables.map(\.key).filter { known[$0] == nil }
    guard unknown.isEmpty else {
      let names = known.keys.sorted()
      throw .configuration(
        unknown.map { rejection(of: $0, names: names, service: service) }.joined(separator: " "))
    }
    var arguments: [String] = []
    for (variable, value) in variables where !value.isEmpty {
      guard let flag = known[variable] else { continue }
      switch flag.kind {
      case .option:
        arguments.append("--\(flag.name)=\(value)")
      case .repeatingOption:
        guard !isGiven(flag.name, in: given) else { continue }
        arguments += value.split(separator: ",").map { "--\(flag.name)=\($0)" }
      case .flag(let inverse):
        let isSet = try boolean(value, of: variable)
        if isSet { arguments.append("--\(flag.name)") }
        if !isSet, let inverse { arguments.append("--\(inverse)") }
      }
    }
    return arguments
  }

  /// Returns the names of variables with ``prefix`` that an orchestrator sets for its Services.
  static func passedOver(
    in environment: [String: String], for flags: [EnvironmentSettableFlag]
  ) -> [String] {
    let known = Set(flags.map(\.variable))
    return environment.filter { name, value in
      name.hasPrefix(prefix)
        && (known.contains(name)
          ? OrchestratorVariable.isNeverSetting(name, value: value)
          : OrchestratorVariable.isOne(name, value: value))
    }.keys.sorted()
  }

  private static func isGiven(_ name: String, in arguments: [String]) -> Bool {
    arguments.prefix { $0 != "--" }.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }
  }

  private static func boolean(_ value: String, of variable: String) throws(HostError) -> Bool {
    switch value {
    case "true", "1": return true
    case "false", "0": return false
    default:
      throw .configuration("\(variable) must be true, false, 1 or 0; got \(value).")
    }
  }

  private static func rejection(of name: String, names: [String], service: String) -> String {
    let owners = SettingOwners.owners(of: name)
    guard owners.isEmpty else {
      let others = owners.joined(separator: ", ")
      return "\(name) is not a setting of \(service), but of \(others); set it there alone."
    }
    guard let nearest = NameSuggestion.nearest(to: name, among: names) else {
      return "\(name) is not a setting of \(service); remove it, or see --help for those it has."
    }
    return "\(name) is not a setting of \(service); did you mean \(nearest)?"
  }
}
