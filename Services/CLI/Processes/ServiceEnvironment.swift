internal import Foundation

/// Which variables of our environment each service is given.
///
/// A service stops at a `CARILLON_…` variable that stands for none of its flags, so that a misspelt
/// one is noticed. Each service is therefore given those it knows, which its own `--help` in JSON
/// tells, and a variable that no service knows is refused here.
enum ServiceEnvironment {
  static let prefix = "CARILLON_"

  /// Variables that this program reads itself.
  static let own: Set = [RuntimeDirectory.variable, PythonInterpreter.variable]

  /// Environments for services.
  ///
  /// - Parameters:
  ///   - environment: Ours.
  ///   - flags: The long flags of each service, by its name.
  /// - Throws: ``CommandFailure`` naming the variables that no service knows.
  static func environments(
    from environment: [String: String], flags: [String: Set<String>]
  ) throws(CommandFailure) -> [String: [String: String]] {
    let settings = environment.keys.filter { isSetting($0) }
    let known = Set(flags.values.joined().map(variable))
    let unknown = settings.filter { !known.contains($0) }.sorted()
    guard unknown.isEmpty else {
      throw .precondition(
        "\(unknown.joined(separator: ", ")) is no setting of any service; correct or remove it.")
    }
    return flags.mapValues { flags in
      let variables = Set(flags.map(variable))
      return environment.filter { name, _ in
        !name.hasPrefix(prefix) || variables.contains(name)
      }
    }
  }

  /// The environment without any setting.
  static func withoutSettings(_ environment: [String: String]) -> [String: String] {
    environment.filter { !$0.key.hasPrefix(prefix) }
  }

  /// Whether a variable is meant for a service.
  static func isSetting(_ name: String) -> Bool {
    name.hasPrefix(prefix) && !own.contains(name)
  }

  /// `max-attendees` is `CARILLON_MAX_ATTENDEES`.
  private static func variable(of flag: String) -> String {
    prefix + flag.uppercased().replacing("-", with: "_")
  }

  /// The long flags in what `--experimental-dump-help` printed.
  ///
  /// - Throws: `DecodingError` for anything else.
  static func flags(inHelp json: String) throws -> Set<String> {
    let help = try JSONDecoder().decode(HelpDump.self, from: Data(json.utf8))
    return Set((help.command.arguments ?? []).flatMap(\.longNames))
  }
}

/// A command's help as JSON, as far as it is read here.
private struct HelpDump: Decodable {
  struct Command: Decodable {
    let arguments: [Argument]?
  }

  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let names: [Name]?

    var longNames: [String] {
      (names ?? []).filter { $0.kind == "long" }.map(\.name)
    }
  }

  let command: Command
}
