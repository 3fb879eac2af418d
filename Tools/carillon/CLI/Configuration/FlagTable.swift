internal import LocalInstallation
internal import Output

/// A table of all flags of all services: first the common flags, and then the flags of each
/// service.
struct FlagTable: Sendable {
  /// The flags under one heading.
  struct Section: Hashable, Sendable {
    let heading: String
    let flags: [ServiceFlag]
  }

  let sections: [Section]

  /// - Parameter services: The names and flags in the order of display.
  init(_ services: [(name: String, flags: [ServiceFlag])]) {
    let shown = services.map { service in
      (
        name: service.name,
        flags: service.flags.filter { $0.isShown && !["help", "version"].contains($0.name) }
      )
    }
    guard shown.count > 1, let first = shown.first else {
      sections = shown.map { Section(heading: $0.name, flags: $0.flags) }
      return
    }
    let common = first.flags.filter { flag in shown.allSatisfy { $0.flags.contains(flag) } }
    sections =
      [Section(heading: "Every service", flags: common)]
      + shown.map { service in
        Section(
          heading: service.name, flags: service.flags.filter { !common.contains($0) })
      }
  }

  /// The document that `carillon config doc` prints.
  var markdown: String {
    let head = """
      # Settings

      `carillon config doc` prints this page from the help texts of the programs. A variable sets
      the same setting as its flag. A flag has priority over its variable. A service does not
      start if a variable is misspelt. `carillon config check` reports misspelt variables.
      """
    return ([head] + sections.filter { !$0.flags.isEmpty }.map(\.markdown))
      .joined(separator: "\n\n")
  }

  /// One record for each flag, for `--output json`.
  var records: [OutputRecord] {
    sections.flatMap { section in
      section.flags.map { flag in
        [
          "section": .text(section.heading), "flag": .text("--\(flag.name)"),
          "variable": flag.variable.map { .text($0) } ?? .null,
          "value": flag.valueName.map { .text($0) } ?? .null,
          "allowed_values": .list(flag.allowedValues.map { .text($0) }),
          "default": flag.defaultValue.map { .text($0) } ?? .null, "help": .text(flag.help),
        ]
      }
    }
  }
}

extension FlagTable.Section {
  fileprivate var markdown: String {
    let rows = flags.map { flag in
      let cells = [
        Self.code(flag.usage),
        flag.variable.map(Self.code) ?? "", flag.defaultValue.map(Self.code) ?? "",
        Self.cell(flag.meaning),
      ]
      return "| \(cells.joined(separator: " | ")) |"
    }
    let head = ["| flag | variable | default | meaning |", "|---|---|---|---|"]
    return "## \(heading)\n\n" + (head + rows).joined(separator: "\n")
  }

  /// Escapes text for a cell of a table.
  private static func cell(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("<", with: "&lt;").replacing("\n", with: " ")
  }

  private static func code(_ text: String) -> String {
    "`\(text.replacing("|", with: "\\|").replacing("\n", with: " "))`"
  }
}

extension ServiceFlag {
  /// The usage of the flag. If a value has no name of its own, the help calls the value by the
  /// flag's name, and this usage calls it `value`.
  fileprivate var usage: String {
    guard let valueName else { return "--\(name)" }
    return "--\(name) <\(valueName == name ? "value" : valueName)>"
  }

  fileprivate var meaning: String {
    guard !allowedValues.isEmpty else { return help }
    return "\(help) One of \(allowedValues.joined(separator: ", "))."
  }
}
