/// Decides whether the application may use the microphone and the camera.
///
/// Linux has no system-wide permissions for these devices, so a session grants both permissions by
/// default. The session queries the provider at each start, on the caller's thread.
public protocol PermissionProvider: Sendable {
  /// The permission that a start with `AudioDeviceCapabilities.inputAndOutput` needs.
  var recordPermission: PermissionStatus { get }

  /// The permission that `startLocalVideo()` needs for the internal camera.
  var cameraPermission: PermissionStatus { get }
}

/// Whether the application may use a device.
public enum PermissionStatus: Sendable {
  /// The application may use the device.
  case granted
  /// The application may not use the device.
  case denied
  /// The application has not requested the permission yet. The session treats this status like
  /// `denied`.
  case undetermined
}

/// A permission provider whose answers never change.
public struct FixedPermissionProvider: PermissionProvider {
  public let recordPermission: PermissionStatus
  public let cameraPermission: PermissionStatus

  /// Creates a provider that grants every permission by default.
  public init(
    recordPermission: PermissionStatus = .granted, cameraPermission: PermissionStatus = .granted
  ) {
    self.recordPermission = recordPermission
    self.cameraPermission = cameraPermission
  }
}
