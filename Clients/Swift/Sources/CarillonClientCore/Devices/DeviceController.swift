/// Lists and chooses devices. Where the machine has none, virtual ones stand for them.
public protocol DeviceController: AnyObject {
  /// The microphones, with the loudspeaker in the second place.
  func listAudioDevices() -> [MediaDevice]

  /// Uses this device from now on: the loudspeaker if it has no port.
  func chooseAudioDevice(mediaDevice: MediaDevice)

  /// Adds an observer in any state; it hears what happens from now on.
  func addDeviceChangeObserver(observer: any DeviceChangeObserver)

  /// Removes an observer. Nothing happens if it was not added.
  func removeDeviceChangeObserver(observer: any DeviceChangeObserver)

  /// Goes from the front camera to the back camera or back, also before the start: the next
  /// `startLocalVideo()` sends what was chosen. Without effect while a source of the application is
  /// sent, and from `stopLocalVideo()` or `stop()` until the internal camera is sent again.
  func switchCamera()

  /// The internal camera, from the beginning and whenever ``switchCamera()`` has an effect.
  func getActiveCamera() -> MediaDevice?

  /// The audio device in use.
  func getActiveAudioDevice() -> MediaDevice?
}

/// Hears of audio devices that come and go. All calls come on main.
public protocol DeviceChangeObserver: AnyObject {
  /// These are the devices now.
  func audioDeviceDidChange(freshAudioDeviceList: [MediaDevice])
}
