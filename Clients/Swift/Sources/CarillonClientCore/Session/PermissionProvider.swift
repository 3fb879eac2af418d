/// Says whether microphone and camera may be used.
///
/// Linux has no system-wide permission for either, so a session grants both unless it was built
/// with a provider that decides otherwise. Asked at each start, on the caller's thread.
public protocol PermissionProvider: Sendable {
  /// Needed by a start with `AudioDeviceCapabilities.inputAndOutput`.
  var recordPermission: PermissionStatus { get }

  /// Needed by `startLocalVideo()` with the internal camera.
  var cameraPermission: PermissionStatus { get }
}

/// Whether the application may use a device.
public enum PermissionStatus: Sendable {
  /// The application may use the device.
  case granted
  /// The application may not use the device.
  case denied
  /// Nobody was asked yet; treated like `denied`.
  case undetermined
}

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
