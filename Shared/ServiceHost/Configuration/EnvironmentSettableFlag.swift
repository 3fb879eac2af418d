internal import ArgumentParser
internal import Foundation

/// One of a command's flags that environment variables can set.
struct EnvironmentSettableFlag: Hashable {
  enum Kind: Hashable {
    /// Takes a value. If the user repeats the flag, the last value applies.
    case option
    /// Takes a value. If the user repeats the flag, all values apply.
    case repeatingOption
    /// Takes no value. `inverse` is the opposite flag, or `nil` if the flag has no opposite.
    case flag(inverse: String?)
  }

  /// The long name without the leading dashes, such as `max-attendees`.
  let name: String
  let kind: Kind

  /// The variable that sets the flag, such as `CARILLON_MAX_ATTENDEES`.
  var variable: String { Self.variable(of: name) }

  /// Returns the environment variable that sets a flag with this name.
  static func variable(of name: String) -> String {
    EnvironmentFlags.prefix + name.uppercased().replacing("-", with: "_")
  }

  /// Flags that query the program instead of configuring it. No variable sets these flags.
  private static let questions: Set = ["help", "version", "check-configuration"]

  /// Returns all of a command's flags that have a long name, including hidden flags but not
  /// queries.
  static func all(of command: (some ParsableCommand).Type) throws -> [EnvironmentSettableFlag] {
    let dump = try JSONDecoder().decode(HelpDump.self, from: Data(command._dumpHelp().utf8))
    let arguments = (dump.command.arguments ?? []).filter { $0.kind != .positional }
    let flagNames = Set(arguments.filter { $0.kind == .flag }.flatMap(\.longNames))
    let inverses = Set(flagNames.compactMap { inverse(of: $0, among: flagNames) })
    return arguments.flatMap { argument in
      argument.longNames
        .filter { !inverses.contains($0) && !questions.contains($0) }
        .map { name in
          switch argument.kind {
          case .flag:
            EnvironmentSettableFlag(
              name: name, kind: .flag(inverse: inverse(of: name, among: flagNames)))
          case .option, .positional:
            EnvironmentSettableFlag(
              name: name, kind: argument.isRepeating ? .repeatingOption : .option)
          }
        }
    }
  }

  /// Returns the flag that undoes `name`: `--no-x` of `--x`, `--disable-x` of `--enable-x`.
  private static func inverse(of name: String, among names: Set<String>) -> String? {
    let opposite =
      name.hasPrefix("enable-") ? "disable-\(name.dropFirst("enable-".count))" : "no-\(name)"
    return names.contains(opposite) ? opposite : nil
  }
}

/// The part of the output of `--experimental-dump-help` that this module uses.
private struct HelpDump: Decodable {
  struct Command: Decodable {
    let arguments: [Argument]?
  }

  struct Argument: Decodable {
    enum Kind: String, Decodable {
      case positional, option, flag
    }

    struct Name: Decodable {
      let kind: String
      let name: String
    }

    let kind: Kind
    let isRepeating: Bool
    let names: [Name]?

    var longNames: [String] {
      (names ?? []).filter { $0.kind == "long" }.map(\.name)
    }
  }

  let command: Command
}
