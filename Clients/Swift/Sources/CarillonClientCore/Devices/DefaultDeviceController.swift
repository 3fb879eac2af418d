/// The controller that lists and chooses audio devices, and switches the internal camera.
final class DefaultDeviceController: DeviceController, Sendable {
  private let observers = ObserverRegistry<any DeviceChangeObserver>()
  private let routes: any AudioDevices
  private let localVideo: LocalVideo
  private let eventAnalytics: DefaultEventAnalyticsController
  private let log: SessionLogger

  init(
    routes: any AudioDevices, localVideo: LocalVideo,
    eventAnalytics: DefaultEventAnalyticsController, log: SessionLogger
  ) {
    self.routes = routes
    self.localVideo = localVideo
    self.eventAnalytics = eventAnalytics
    self.log = log
    routes.onChange { [weak self] lost in self?.routesDidChange(lost) }
  }

  // MARK: Audio

  func listAudioDevices() -> [MediaDevice] {
    let devices = devices(without: nil)
    if devices.count == 1 {
      eventAnalytics.publishEvent(
        name: .audioInputFailed,
        attributes: [EventAttributeName.audioInputError: MediaError.noAudioDevices])
    }
    return devices
  }

  /// Returns the audio devices: only one microphone for each name, and the loudspeaker. The
  /// loudspeaker is second in the list, or first on a machine without microphones.
  private func devices(without lost: MediaDevicePort?) -> [MediaDevice] {
    var devices: [MediaDevice] = []
    for device in routes.inputs where lost == nil || device.port?.uid != lost?.uid {
      let known = devices.firstIndex { $0.port?.name == device.port?.name }
      guard let known else {
        devices.append(device)
        continue
      }
      if devices[known].port?.portType == Self.unknownPortType { devices[known] = device }
    }
    devices.insert(.loudspeaker, at: min(1, devices.count))
    return devices
  }

  private static let unknownPortType = "Unknown"

  func chooseAudioDevice(mediaDevice: MediaDevice) {
    let isLoudspeaker = mediaDevice.port == nil
    let type: MediaDeviceType = isLoudspeaker ? .audioBuiltInSpeaker : mediaDevice.type
    do {
      if isLoudspeaker {
        try routes.useLoudspeaker()
      } else {
        try routes.useInput(mediaDevice)
      }
      eventAnalytics.publishEvent(
        name: .audioInputSelected, attributes: [EventAttributeName.audioDeviceType: type],
        notifyObservers: false)
    } catch {
      log.error("\(mediaDevice.description) cannot be used: \(error)")
      let reason: MediaError =
        isLoudspeaker ? .overrideOutputAudioPortFailed : .setPreferredAudioInputFailed
      eventAnalytics.publishEvent(
        name: .audioInputFailed,
        attributes: [
          EventAttributeName.audioInputError: reason, EventAttributeName.audioDeviceType: type,
        ])
    }
  }

  func getActiveAudioDevice() -> MediaDevice? { routes.active }

  func addDeviceChangeObserver(observer: any DeviceChangeObserver) {
    observers.add(observer)
  }

  func removeDeviceChangeObserver(observer: any DeviceChangeObserver) {
    observers.remove(observer)
  }

  private func routesDidChange(_ lost: MediaDevicePort?) {
    let devices = devices(without: lost)
    observers.post { $0.audioDeviceDidChange(freshAudioDeviceList: devices) }
  }

  // MARK: The camera

  private var camera: (any CameraCaptureSource)? { localVideo.camera as? any CameraCaptureSource }

  func switchCamera() {
    guard let camera else { return log.info("switchCamera: the internal camera is not in use.") }
    camera.switchCamera()
  }

  func getActiveCamera() -> MediaDevice? { camera?.device }
}
