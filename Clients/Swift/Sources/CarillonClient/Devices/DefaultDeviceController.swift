/// Keeps the observers of devices; there are no devices in this version.
final class DefaultDeviceController: DeviceController {
  private let observers = ObserverRegistry<any DeviceChangeObserver>()
  private let log: SessionLog

  init(log: SessionLog) {
    self.log = log
  }

  func listAudioDevices() -> [MediaDevice] {
    log.notAvailableYet("listAudioDevices")
    return []
  }

  func chooseAudioDevice(mediaDevice: MediaDevice) {
    log.notAvailableYet("chooseAudioDevice")
  }

  func addDeviceChangeObserver(observer: any DeviceChangeObserver) {
    observers.add(observer)
  }

  func removeDeviceChangeObserver(observer: any DeviceChangeObserver) {
    observers.remove(observer)
  }

  func switchCamera() {
    log.notAvailableYet("switchCamera")
  }

  func getActiveCamera() -> MediaDevice? {
    log.notAvailableYet("getActiveCamera")
    return nil
  }

  func getActiveAudioDevice() -> MediaDevice? {
    log.notAvailableYet("getActiveAudioDevice")
    return nil
  }
}
