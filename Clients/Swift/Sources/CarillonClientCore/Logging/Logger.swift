/// Where a session writes what it does.
///
/// The session calls it on any thread, several at a time, so an implementation guards its own
/// state.
public protocol Logger: AnyObject {
  /// Writes a line of the level `DEFAULT`.
  func `default`(msg: String)

  /// Writes a line of the level `DEBUG`; the closure is for text that is costly to build.
  func debug(debugFunction: () -> String)

  /// Writes a line of the level `INFO`.
  func info(msg: String)

  /// Writes a line of the level `FAULT`: the session was used in a way it cannot serve.
  func fault(msg: String)

  /// Writes a line of the level `ERROR`.
  func error(msg: String)

  /// Changes which lines are written from now on.
  func setLogLevel(level: LogLevel)

  /// The level below which nothing is written.
  func getLogLevel() -> LogLevel
}

/// How important a line of log is; a logger prints lines at or above its own level.
public enum LogLevel: Int, CaseNamed {
  /// Lines of no particular importance, and the lowest level of a logger.
  case DEFAULT = 0
  /// Lines for whoever looks for a fault.
  case DEBUG = 1
  /// Lines on what the session does.
  case INFO = 2
  /// Lines on a session that is used in a way it cannot serve.
  case FAULT = 3
  /// Lines on what went wrong.
  case ERROR = 4
  /// A logger of this level prints nothing.
  case OFF = 5
}
