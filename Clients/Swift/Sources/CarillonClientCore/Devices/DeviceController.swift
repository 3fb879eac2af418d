/// The calls that list and choose devices. A machine without devices has virtual ones.
public protocol DeviceController: AnyObject {
  /// Returns the microphones, with the loudspeaker in second place.
  func listAudioDevices() -> [MediaDevice]

  /// Uses this device from now on; a device without a port means the loudspeaker.
  func chooseAudioDevice(mediaDevice: MediaDevice)

  /// Adds an observer, in any state. It receives the events from now on.
  func addDeviceChangeObserver(observer: any DeviceChangeObserver)

  /// Removes an observer. Without effect if it was not added.
  func removeDeviceChangeObserver(observer: any DeviceChangeObserver)

  /// Switches between the front camera and the back camera, also before the start: the next
  /// `startLocalVideo()` sends the chosen one.
  ///
  /// Without effect while a source of the application is sent, and from `stopLocalVideo()` or
  /// `stop()` until the internal camera is sent again.
  func switchCamera()

  /// Returns the internal camera; nil whenever ``switchCamera()`` has no effect.
  func getActiveCamera() -> MediaDevice?

  /// Returns the audio device in use.
  func getActiveAudioDevice() -> MediaDevice?
}

/// An observer of changes of the audio devices. All calls are made on main.
public protocol DeviceChangeObserver: AnyObject {
  /// Receives the new list of devices.
  func audioDeviceDidChange(freshAudioDeviceList: [MediaDevice])
}
