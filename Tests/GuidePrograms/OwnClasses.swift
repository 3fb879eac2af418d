import CarillonClient
import Foundation

/// An application's own device controller. The state of the controller changes.
class OwnDeviceController: NSObject, DeviceController {
  private var devices: [MediaDevice] = []
  private var observers: [DeviceChangeObserver] = []
  private var active: MediaDevice?

  func plug(_ device: MediaDevice) {
    devices.append(device)
    observers.forEach { $0.audioDeviceDidChange(freshAudioDeviceList: devices) }
  }

  func listAudioDevices() -> [MediaDevice] { return devices }

  func chooseAudioDevice(mediaDevice: MediaDevice) { active = mediaDevice }

  func addDeviceChangeObserver(observer: DeviceChangeObserver) { observers.append(observer) }

  func removeDeviceChangeObserver(observer: DeviceChangeObserver) {
    observers.removeAll { $0 === observer }
  }

  func switchCamera() {}

  func getActiveCamera() -> MediaDevice? { return nil }

  func getActiveAudioDevice() -> MediaDevice? { return active }
}

/// An application's own session class, for example for the tests of the application.
class OwnMeetingSession: NSObject, MeetingSession {
  private(set) var askedForFacade = 0
  private let session: MeetingSession

  init(_ session: MeetingSession) {
    self.session = session
  }

  var configuration: MeetingSessionConfiguration { return session.configuration }
  var logger: Logger { return session.logger }
  var eventAnalyticsController: EventAnalyticsController {
    return session.eventAnalyticsController
  }
  var audioVideo: AudioVideoFacade {
    askedForFacade += 1
    return session.audioVideo
  }
}
