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
