/// Keeps the observers of the own content share; nothing can be shared in this version.
final class DefaultContentShareController: ContentShareController {
  private let configuration: MeetingSessionConfiguration
  private let observers = ObserverRegistry<any ContentShareObserver>()
  private let log: SessionLog

  init(configuration: MeetingSessionConfiguration, log: SessionLog) {
    self.configuration = configuration
    self.log = log
  }

  func startContentShare(source: ContentShareSource) {
    startContentShare(source: source, config: LocalVideoConfiguration())
  }

  func startContentShare(source: ContentShareSource, config: LocalVideoConfiguration) {
    guard source.videoSource != nil else { return }
    let limit = configuration.meetingFeatures.contentMaxResolution
    guard limit !== VideoResolution.videoDisabled else {
      log.info("startContentShare: the meeting allows no content.")
      return
    }
    log.notAvailableYet("startContentShare")
  }

  func stopContentShare() {
    log.notAvailableYet("stopContentShare")
  }

  func addContentShareObserver(observer: any ContentShareObserver) {
    observers.add(observer)
  }

  func removeContentShareObserver(observer: any ContentShareObserver) {
    observers.remove(observer)
  }
}
