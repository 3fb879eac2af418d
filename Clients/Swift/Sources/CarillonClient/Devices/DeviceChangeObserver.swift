/// Hears of audio devices that come and go. All calls come on main.
public protocol DeviceChangeObserver: AnyObject {
  /// These are the devices now.
  func audioDeviceDidChange(freshAudioDeviceList: [MediaDevice])
}
