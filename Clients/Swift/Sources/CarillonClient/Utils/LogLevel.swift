/// How important a line of log is; a logger prints lines at or above its own level.
public enum LogLevel: Int, CaseNamed {
  case DEFAULT = 0
  case DEBUG = 1
  case INFO = 2
  case FAULT = 3
  case ERROR = 4
  /// As the level of a logger: print nothing.
  case OFF = 5
}
