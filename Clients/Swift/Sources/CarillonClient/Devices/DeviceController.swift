/// Lists and chooses devices. Where the machine has none, virtual ones stand for them.
public protocol DeviceController: AnyObject, Sendable {
  /// The microphones, with the loudspeaker in the second place.
  func listAudioDevices() -> [MediaDevice]

  /// Uses this device from now on: the loudspeaker if it has no port.
  func chooseAudioDevice(mediaDevice: MediaDevice)

  /// Adds an observer in any state; it hears what happens from now on.
  func addDeviceChangeObserver(observer: any DeviceChangeObserver)

  /// Removes an observer. Nothing happens if it was not added.
  func removeDeviceChangeObserver(observer: any DeviceChangeObserver)

  /// Goes from the front camera to the back camera or back. Without effect unless the internal
  /// camera is in use.
  func switchCamera()

  /// The internal camera, while it is in use.
  func getActiveCamera() -> MediaDevice?

  /// The audio device in use.
  func getActiveAudioDevice() -> MediaDevice?
}

/// Hears of audio devices that come and go. All calls come on main.
public protocol DeviceChangeObserver: AnyObject {
  /// These are the devices now.
  func audioDeviceDidChange(freshAudioDeviceList: [MediaDevice])
}
