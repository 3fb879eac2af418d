internal import Foundation
internal import Logging

/// The destination and format of a process's log. All loggers of the process use this output.
struct LogOutput: Sendable {
  let style: LineLogHandler.Style
  let level: Logger.Level
  /// The metadata of every line.
  let metadata: Logger.Metadata

  /// Makes an output to standard error with the instance's name on every line. The output has
  /// colours if standard error is a terminal.
  init(_ options: HostOptions, service: String, environment: [String: String]) {
    switch options.logFormat {
    case .json: style = .json
    case .text:
      style = .text(LogColorMode(isTerminal: StandardError.isTerminal, environment))
    }
    level = options.logLevel
    metadata = [LogMetadataKey.instance: "\(options.instanceName(of: service))"]
  }

  func handler(label: String) -> LineLogHandler {
    LineLogHandler(
      logLevel: level, metadata: metadata, label: label, style: style, now: { Date() },
      write: { StandardError.write(line: $0) })
  }

  func logger(label: String) -> Logger {
    Logger(label: label) { handler(label: $0) }
  }
}
