internal import ArgumentParser

/// The format in which a command prints its results.
package enum OutputFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Text for a person.
  case text
  /// One JSON object per line, with stable field names.
  case json
}
