/// The calls that list and choose devices. On a machine without devices, the library offers virtual
/// devices.
public protocol DeviceController: AnyObject {
  /// Returns the microphones, with the loudspeaker in second place.
  func listAudioDevices() -> [MediaDevice]

  /// Switches to the given device. A device without a port means the loudspeaker.
  func chooseAudioDevice(mediaDevice: MediaDevice)

  /// Adds an observer, in any state. The observer receives all later events.
  func addDeviceChangeObserver(observer: any DeviceChangeObserver)

  /// Removes an observer. Has no effect if the application has not added the observer.
  func removeDeviceChangeObserver(observer: any DeviceChangeObserver)

  /// Switches between the front camera and the back camera. The switch is also possible before the
  /// start. The next `startLocalVideo()` sends the chosen camera.
  ///
  /// The call has no effect while the session sends the video of an application's source. The call
  /// also has no effect after `stopLocalVideo()` or `stop()`, until the session sends the video of
  /// the internal camera again.
  func switchCamera()

  /// Returns the internal camera; `nil` whenever ``switchCamera()`` has no effect.
  func getActiveCamera() -> MediaDevice?

  /// Returns the audio device in use.
  func getActiveAudioDevice() -> MediaDevice?
}

/// An observer of changes of the audio devices. The library makes all calls on the main thread.
public protocol DeviceChangeObserver: AnyObject {
  /// Receives the new list of devices.
  func audioDeviceDidChange(freshAudioDeviceList: [MediaDevice])
}
