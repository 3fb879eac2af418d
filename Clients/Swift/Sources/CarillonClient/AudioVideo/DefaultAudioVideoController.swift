import Dispatch

/// Starts and stops the session, and answers for the video that later versions bring.
final class DefaultAudioVideoController: AudioVideoControllerFacade {
  let configuration: MeetingSessionConfiguration

  var logger: any Logger { log.logger }

  private let log: SessionLog
  private let lifecycle: SessionLifecycle
  private let audioVideoObservers: ObserverRegistry<any AudioVideoObserver>
  private let metricsObservers = ObserverRegistry<any MetricsObserver>()
  private let eventAnalytics: DefaultEventAnalyticsController
  private let permissions: any PermissionProvider

  init(
    configuration: MeetingSessionConfiguration, log: SessionLog, lifecycle: SessionLifecycle,
    audioVideoObservers: ObserverRegistry<any AudioVideoObserver>,
    eventAnalytics: DefaultEventAnalyticsController, permissions: any PermissionProvider
  ) {
    self.configuration = configuration
    self.log = log
    self.lifecycle = lifecycle
    self.audioVideoObservers = audioVideoObservers
    self.eventAnalytics = eventAnalytics
    self.permissions = permissions
  }

  func start(audioVideoConfiguration: AudioVideoConfiguration) throws {
    try lifecycle.start(audioVideoConfiguration)
  }

  func start(callKitEnabled: Bool) throws {
    try start(audioVideoConfiguration: AudioVideoConfiguration(callKitEnabled: callKitEnabled))
  }

  func start() throws {
    try start(audioVideoConfiguration: AudioVideoConfiguration())
  }

  func stop() {
    lifecycle.stop()
  }

  func startLocalVideo() throws {
    try startLocalVideo(config: LocalVideoConfiguration())
  }

  func startLocalVideo(config: LocalVideoConfiguration) throws {
    guard allowsVideo() else { return }
    guard permissions.cameraPermission == .granted else {
      eventAnalytics.publishEvent(
        name: .videoInputFailed,
        attributes: [EventAttributeName.videoInputError: PermissionError.videoPermissionError])
      throw PermissionError.videoPermissionError
    }
    throw CarillonClientError.notAvailableYet("startLocalVideo")
  }

  func startLocalVideo(source: any VideoSource) {
    startLocalVideo(source: source, config: LocalVideoConfiguration())
  }

  func startLocalVideo(source: any VideoSource, config: LocalVideoConfiguration) {
    guard allowsVideo() else { return }
    log.notAvailableYet("startLocalVideo")
  }

  func stopLocalVideo() {
    log.notAvailableYet("stopLocalVideo")
  }

  func startRemoteVideo() {
    log.notAvailableYet("startRemoteVideo")
  }

  func stopRemoteVideo() {
    log.notAvailableYet("stopRemoteVideo")
  }

  func addAudioVideoObserver(observer: any AudioVideoObserver) {
    audioVideoObservers.add(observer)
  }

  func removeAudioVideoObserver(observer: any AudioVideoObserver) {
    audioVideoObservers.remove(observer)
  }

  func addMetricsObserver(observer: any MetricsObserver) {
    metricsObservers.add(observer)
  }

  func removeMetricsObserver(observer: any MetricsObserver) {
    metricsObservers.remove(observer)
  }

  func updateVideoSourceSubscriptions(
    addedOrUpdated: [RemoteVideoSource: VideoSubscriptionConfiguration],
    removed: [RemoteVideoSource]
  ) {
    log.notAvailableYet("updateVideoSourceSubscriptions")
  }

  func promoteToPrimaryMeeting(
    credentials: MeetingSessionCredentials, observer: any PrimaryMeetingPromotionObserver
  ) {
    if lifecycle.isOpen { log.notAvailableYet("promoteToPrimaryMeeting") }
    let observer = MainBound(value: observer)
    DispatchQueue.main.async {
      observer.value.didPromoteToPrimaryMeeting(
        status: MeetingSessionStatus(statusCode: .audioServiceUnavailable))
    }
  }

  func demoteFromPrimaryMeeting() {
    log.info("demoteFromPrimaryMeeting: the attendee is not promoted.")
  }

  private func allowsVideo() -> Bool {
    guard configuration.meetingFeatures.videoMaxResolution !== VideoResolution.videoDisabled else {
      log.info("startLocalVideo: the meeting allows no video.")
      return false
    }
    return true
  }
}
