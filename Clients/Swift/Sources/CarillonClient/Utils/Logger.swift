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
