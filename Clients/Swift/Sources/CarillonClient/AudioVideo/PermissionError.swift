/// The application may not use a device it asked for.
public enum PermissionError: Int, Error, CaseNamed {
  case audioPermissionError
  case videoPermissionError
}
