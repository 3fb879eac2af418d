internal import Foundation

/// A flag of a service, as the service's own help describes the flag.
package struct ServiceFlag: Hashable, Sendable {
  /// The long name without dashes, such as `max-attendees`.
  package let name: String
  /// The name of the flag's value; `nil` for a flag without a value.
  package let valueName: String?
  package let defaultValue: String?
  /// The allowed values, if the flag has a list of allowed values.
  package let allowedValues: [String]
  package let help: String
  /// Whether `--help` shows the flag.
  package let isShown: Bool

  /// Flags that query the program instead of configuring it.
  private static let questions: Set = ["help", "version", "check-configuration"]

  /// The flag's environment variable, such as `CARILLON_MAX_ATTENDEES`; `nil` for a query.
  package var variable: String? {
    Self.questions.contains(name) ? nil : Self.variable(for: name)
  }

  /// Returns the variable of the flag with this long name.
  package static func variable(for name: String) -> String {
    ServiceEnvironment.prefix + name.uppercased().replacing("-", with: "_")
  }

  /// Returns the flags in the output of `--experimental-dump-help`, in the same order.
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

/// A command's help as JSON, with the members that this file reads.
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
