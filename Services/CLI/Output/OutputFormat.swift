internal import ArgumentParser

/// How a command prints its results.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// For a person.
  case text
  /// One JSON object a line, with stable field names.
  case json
}
