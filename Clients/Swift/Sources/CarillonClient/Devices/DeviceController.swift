/// Lists and chooses devices. None are available yet.
public protocol DeviceController: AnyObject, Sendable {
  /// The microphones, with the loudspeaker in the second place. Empty in this version.
  func listAudioDevices() -> [MediaDevice]

  /// Uses this device from now on. Not available yet.
  func chooseAudioDevice(mediaDevice: MediaDevice)

  /// Adds an observer in any state; it hears what happens from now on.
  func addDeviceChangeObserver(observer: any DeviceChangeObserver)

  func removeDeviceChangeObserver(observer: any DeviceChangeObserver)

  /// Goes from the front camera to the back camera or back. Not available yet.
  func switchCamera()

  /// The internal camera, while it is in use. nil in this version.
  func getActiveCamera() -> MediaDevice?

  /// The audio device in use. nil in this version.
  func getActiveAudioDevice() -> MediaDevice?
}
