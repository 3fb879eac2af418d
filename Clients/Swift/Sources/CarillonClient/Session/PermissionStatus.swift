/// Whether the application may use a device.
public enum PermissionStatus: Sendable {
  case granted
  case denied
  /// Nobody was asked yet; treated like `denied`.
  case undetermined
}
