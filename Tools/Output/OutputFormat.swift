internal import ArgumentParser

/// How a command prints its results.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Text for a person.
  case text
  /// One JSON object a line, with stable field names.
  case json
}
