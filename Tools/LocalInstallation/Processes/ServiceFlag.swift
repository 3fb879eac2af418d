internal import Foundation

/// A flag of a service, as the service's own help tells of it.
package struct ServiceFlag: Hashable, Sendable {
  /// The long name without its dashes, such as `max-attendees`.
  package let name: String
  /// What its value is called; `nil` for a flag that takes none.
  package let valueName: String?
  package let defaultValue: String?
  /// The values it may have, if they can be counted.
  package let allowedValues: [String]
  package let help: String
  /// Whether `--help` shows it.
  package let isShown: Bool

  /// Flags that ask something of the program instead of setting it up.
  private static let questions: Set = ["help", "version", "check-configuration"]

  /// The variable that stands for it, such as `CARILLON_MAX_ATTENDEES`; `nil` where none does.
  package var variable: String? {
    Self.questions.contains(name) ? nil : Self.variable(for: name)
  }

  /// The variable that stands for the flag with this long name.
  package static func variable(for name: String) -> String {
    ServiceEnvironment.prefix + name.uppercased().replacing("-", with: "_")
  }

  /// The flags in what `--experimental-dump-help` printed, in their order there.
  ///
  /// - Throws: `DecodingError` for anything else.
  package static func flags(inHelp json: String) throws -> [ServiceFlag] {
    let help = try JSONDecoder().decode(HelpDump.self, from: Data(json.utf8))
    return (help.command.arguments ?? []).flatMap { argument in
      argument.longNames.map { name in
        ServiceFlag(
          name: name,
          valueName: argument.kind == "option" ? argument.valueName ?? name : nil,
          defaultValue: argument.defaultValue, allowedValues: argument.allValues ?? [],
          help: [argument.abstract, argument.discussion].compactMap(\.self)
            .joined(separator: " "),
          isShown: argument.shouldDisplay ?? true)
      }
    }
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

    let kind: String
    let names: [Name]?
    let valueName: String?
    let defaultValue: String?
    let allValues: [String]?
    let abstract: String?
    let discussion: String?
    let shouldDisplay: Bool?

    var longNames: [String] {
      (names ?? []).filter { $0.kind == "long" }.map(\.name)
    }
  }

  let command: Command
}
