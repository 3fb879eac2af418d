public import ArgumentParser

/// How log lines look.
public enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Time, level, message and metadata for a person to read; coloured on a terminal.
  case text
  /// One JSON object a line, for a machine.
  case json
}
