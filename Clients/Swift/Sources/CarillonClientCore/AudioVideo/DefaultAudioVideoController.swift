/// The controller that starts and stops the session and sends its video requests.
final class DefaultAudioVideoController: AudioVideoControllerFacade {
  let configuration: MeetingSessionConfiguration

  var logger: any Logger { log.logger }

  private let log: SessionLogger
  private let lifecycle: SessionLifecycle
  private let audioVideoObservers: ObserverRegistry<any AudioVideoObserver>
  private let metrics: MetricsCollector
  private let eventAnalytics: DefaultEventAnalyticsController
  private let localVideo: LocalVideo
  private let tiles: VideoTileTable
  private let permissions: any PermissionProvider
  private let hasMedia: Bool

  init(
    configuration: MeetingSessionConfiguration, log: SessionLogger, lifecycle: SessionLifecycle,
    voices: SessionObservers, environment: SessionDependencies, hasMedia: Bool
  ) {
    self.configuration = configuration
    self.log = log
    self.lifecycle = lifecycle
    audioVideoObservers = voices.audioVideoObservers
    eventAnalytics = voices.eventAnalytics
    localVideo = voices.localVideo
    metrics = voices.metrics
    tiles = voices.tiles
    permissions = environment.permissions
    self.hasMedia = hasMedia
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
    guard hasMedia else { throw CarillonClientError.noMedia("startLocalVideo") }
    guard isOpen("startLocalVideo") else { return }
    guard let camera = localVideo.internalCamera else {
      throw CarillonClientError.notAvailableYet("startLocalVideo with the internal camera")
    }
    send(camera, config: config)
    camera.start()
  }

  func startLocalVideo(source: any VideoSource) {
    startLocalVideo(source: source, config: LocalVideoConfiguration())
  }

  func startLocalVideo(source: any VideoSource, config: LocalVideoConfiguration) {
    guard allowsVideo() else { return }
    guard hasMedia else { return log.noMedia("startLocalVideo") }
    guard isOpen("startLocalVideo") else { return }
    send(source, config: config)
  }

  private func send(_ source: any VideoSource, config: LocalVideoConfiguration) {
    let number = localVideo.use(source)
    lifecycle.want(
      .publish(
        .camera(
          number, hint: source.videoContentHint, config: config,
          features: configuration.meetingFeatures)))
  }

  func stopLocalVideo() {
    guard isOpen("stopLocalVideo") else { return }
    localVideo.release()
    tiles.endLocalTile()
    lifecycle.want(.unpublish)
  }

  func startRemoteVideo() {
    guard isOpen("startRemoteVideo") else { return }
    lifecycle.want(.receive(true))
  }

  func stopRemoteVideo() {
    guard isOpen("stopRemoteVideo") else { return }
    lifecycle.want(.receive(false))
  }

  func addAudioVideoObserver(observer: any AudioVideoObserver) {
    audioVideoObservers.add(observer)
  }

  func removeAudioVideoObserver(observer: any AudioVideoObserver) {
    audioVideoObservers.remove(observer)
  }

  func addMetricsObserver(observer: any MetricsObserver) {
    if !hasMedia { log.noMedia("addMetricsObserver") }
    metrics.observers.add(observer)
  }

  func removeMetricsObserver(observer: any MetricsObserver) {
    metrics.observers.remove(observer)
  }

  func updateVideoSourceSubscriptions(
    addedOrUpdated: [RemoteVideoSource: VideoSubscriptionConfiguration],
    removed: [RemoteVideoSource]
  ) {
    guard isOpen("updateVideoSourceSubscriptions") else { return }
    let demands = addedOrUpdated.map { ($0.key.attendeeId, RemoteVideoRequest($0.value)) }
    lifecycle.want(
      .subscribe(
        addedOrUpdated: Dictionary(demands) { $1 }, removed: removed.map(\.attendeeId)))
  }

  func promoteToPrimaryMeeting(
    credentials: MeetingSessionCredentials, observer: any PrimaryMeetingPromotionObserver
  ) {
    lifecycle.promote(as: credentials, telling: MainQueueBox(value: observer))
  }

  func demoteFromPrimaryMeeting() {
    lifecycle.demote()
  }

  private func isOpen(_ call: String) -> Bool {
    guard lifecycle.isOpen else {
      log.fault("\(call): the session is not started.")
      return false
    }
    return true
  }

  private func allowsVideo() -> Bool {
    guard configuration.meetingFeatures.videoMaxResolution !== VideoResolution.videoDisabled else {
      log.info("startLocalVideo: the meeting allows no video.")
      return false
    }
    return true
  }
}
