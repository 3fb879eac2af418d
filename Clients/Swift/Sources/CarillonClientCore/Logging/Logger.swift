/// A receiver of the log lines of a session.
///
/// The session calls the logger on several threads at the same time, so every implementation must
/// guard its own state.
public protocol Logger: AnyObject {
  /// Writes a line of the level `DEFAULT`.
  func `default`(msg: String)

  /// Writes a line of the level `DEBUG`. The closure returns the text. A logger that does not write
  /// the line need not call the closure.
  func debug(debugFunction: () -> String)

  /// Writes a line of the level `INFO`.
  func info(msg: String)

  /// Writes a line of the level `FAULT`: the application used the session incorrectly.
  func fault(msg: String)

  /// Writes a line of the level `ERROR`.
  func error(msg: String)

  /// Sets the lowest level of the lines that the logger writes.
  func setLogLevel(level: LogLevel)

  /// Returns the lowest level of the lines that the logger writes.
  func getLogLevel() -> LogLevel
}

/// The importance of a log line. A logger writes lines at or above its own level.
public enum LogLevel: Int, CaseNamed {
  /// Lines of no particular importance, and the lowest level of a logger.
  case DEFAULT = 0
  /// Lines for debugging.
  case DEBUG = 1
  /// Lines about the session's normal work.
  case INFO = 2
  /// Lines about incorrect use of the session.
  case FAULT = 3
  /// Lines about errors.
  case ERROR = 4
  /// The level of a logger that writes nothing.
  case OFF = 5
}
