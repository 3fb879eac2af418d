public import ArgumentParser

/// The format of log lines.
public enum LogFormat: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// Time, level, message and metadata for people; coloured on a terminal.
  case text
  /// One JSON object per line, for machines.
  case json
}
