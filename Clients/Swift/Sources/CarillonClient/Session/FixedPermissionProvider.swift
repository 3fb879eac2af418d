/// A permission provider whose answers never change.
public struct FixedPermissionProvider: PermissionProvider {
  public let recordPermission: PermissionStatus
  public let cameraPermission: PermissionStatus

  /// Grants what is not named.
  public init(
    recordPermission: PermissionStatus = .granted, cameraPermission: PermissionStatus = .granted
  ) {
    self.recordPermission = recordPermission
    self.cameraPermission = cameraPermission
  }
}
