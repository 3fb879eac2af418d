internal import Logging

/// Whether text log lines carry the colour codes of ECMA-48.
enum LogColorMode {
  case plain
  case coloured

  /// Chooses colours for a terminal, unless `TERM` is missing or `dumb`, or `NO_COLOR` has a value.
  init(isTerminal: Bool, _ environment: [String: String]) {
    let type = environment["TERM"] ?? ""
    let isCapable = isTerminal && !type.isEmpty && type != "dumb"
    self = isCapable && (environment["NO_COLOR"] ?? "").isEmpty ? .coloured : .plain
  }

  func dimmed(_ text: String) -> String {
    code("2", text)
  }

  func painted(_ text: String, for level: Logger.Level) -> String {
    switch level {
    case .trace, .debug: code("2", text)
    case .info: code("32", text)
    case .notice: code("36", text)
    case .warning: code("33", text)
    case .error, .critical: code("1;31", text)
    }
  }

  private func code(_ code: String, _ text: String) -> String {
    switch self {
    case .plain: text
    case .coloured: "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
  }
}
