public import Foundation

/// The facade of a session. The facade forwards each call to the responsible controller.
///
/// Unlike the methods of the protocols, the methods of this class have default arguments.
public final class DefaultAudioVideoFacade: NSObject, AudioVideoFacade {
  private let audioVideoController: any AudioVideoControllerFacade
  private let realtimeController: any RealtimeControllerFacade
  private let deviceController: any DeviceController & Sendable
  private let videoTileController: any VideoTileControllerFacade
  private let activeSpeakerDetector: any ActiveSpeakerDetectorFacade
  private let contentShareController: any ContentShareController
  private let eventAnalyticsController: any EventAnalyticsFacade

  init(
    audioVideoController: any AudioVideoControllerFacade,
    realtimeController: any RealtimeControllerFacade,
    deviceController: any DeviceController & Sendable,
    videoTileController: any VideoTileControllerFacade,
    activeSpeakerDetector: any ActiveSpeakerDetectorFacade,
    contentShareController: any ContentShareController,
    eventAnalyticsController: any EventAnalyticsFacade
  ) {
    self.audioVideoController = audioVideoController
    self.realtimeController = realtimeController
    self.deviceController = deviceController
    self.videoTileController = videoTileController
    self.activeSpeakerDetector = activeSpeakerDetector
    self.contentShareController = contentShareController
    self.eventAnalyticsController = eventAnalyticsController
  }

  private func log(_ call: String) {
    logger.info(msg: "API/DefaultAudioVideoFacade/\(call)")
  }
}

// MARK: AudioVideoControllerFacade

extension DefaultAudioVideoFacade {
  public var configuration: MeetingSessionConfiguration { audioVideoController.configuration }

  public var logger: any Logger { audioVideoController.logger }

  public func start(audioVideoConfiguration: AudioVideoConfiguration) throws {
    try audioVideoController.start(audioVideoConfiguration: audioVideoConfiguration)
    log("start(audioVideoConfiguration: \(audioVideoConfiguration.description))")
  }

  public func start(callKitEnabled: Bool = false) throws {
    try audioVideoController.start(callKitEnabled: callKitEnabled)
    log("start(callKitEnabled: \(callKitEnabled))")
  }

  public func start() throws {
    try audioVideoController.start()
    log("start")
  }

  public func stop() {
    audioVideoController.stop()
    log("stop")
  }

  public func startLocalVideo() throws {
    try audioVideoController.startLocalVideo()
  }

  public func startLocalVideo(config: LocalVideoConfiguration) throws {
    try audioVideoController.startLocalVideo(config: config)
  }

  public func startLocalVideo(source: any VideoSource) {
    audioVideoController.startLocalVideo(source: source)
  }

  public func startLocalVideo(source: any VideoSource, config: LocalVideoConfiguration) {
    audioVideoController.startLocalVideo(source: source, config: config)
  }

  public func stopLocalVideo() {
    audioVideoController.stopLocalVideo()
  }

  public func startRemoteVideo() {
    audioVideoController.startRemoteVideo()
  }

  public func stopRemoteVideo() {
    audioVideoController.stopRemoteVideo()
  }

  public func addAudioVideoObserver(observer: any AudioVideoObserver) {
    audioVideoController.addAudioVideoObserver(observer: observer)
  }

  public func removeAudioVideoObserver(observer: any AudioVideoObserver) {
    audioVideoController.removeAudioVideoObserver(observer: observer)
  }

  public func addMetricsObserver(observer: any MetricsObserver) {
    audioVideoController.addMetricsObserver(observer: observer)
  }

  public func removeMetricsObserver(observer: any MetricsObserver) {
    audioVideoController.removeMetricsObserver(observer: observer)
  }

  public func updateVideoSourceSubscriptions(
    addedOrUpdated: [RemoteVideoSource: VideoSubscriptionConfiguration],
    removed: [RemoteVideoSource]
  ) {
    audioVideoController.updateVideoSourceSubscriptions(
      addedOrUpdated: addedOrUpdated, removed: removed)
  }

  public func promoteToPrimaryMeeting(
    credentials: MeetingSessionCredentials, observer: any PrimaryMeetingPromotionObserver
  ) {
    audioVideoController.promoteToPrimaryMeeting(credentials: credentials, observer: observer)
  }

  public func demoteFromPrimaryMeeting() {
    audioVideoController.demoteFromPrimaryMeeting()
  }
}

// MARK: RealtimeControllerFacade

extension DefaultAudioVideoFacade {
  public func realtimeLocalMute() -> Bool {
    realtimeController.realtimeLocalMute()
  }

  public func realtimeLocalUnmute() -> Bool {
    realtimeController.realtimeLocalUnmute()
  }

  public func addRealtimeObserver(observer: any RealtimeObserver) {
    realtimeController.addRealtimeObserver(observer: observer)
  }

  public func removeRealtimeObserver(observer: any RealtimeObserver) {
    realtimeController.removeRealtimeObserver(observer: observer)
  }

  public func addRealtimeDataMessageObserver(topic: String, observer: any DataMessageObserver) {
    realtimeController.addRealtimeDataMessageObserver(topic: topic, observer: observer)
  }

  public func removeRealtimeDataMessageObserverFromTopic(topic: String) {
    realtimeController.removeRealtimeDataMessageObserverFromTopic(topic: topic)
  }

  public func realtimeSendDataMessage(topic: String, data: Any, lifetimeMs: Int32 = 0) throws {
    try realtimeController.realtimeSendDataMessage(
      topic: topic, data: data, lifetimeMs: lifetimeMs)
  }

  public func realtimeSetVoiceFocusEnabled(enabled: Bool) -> Bool {
    realtimeController.realtimeSetVoiceFocusEnabled(enabled: enabled)
  }

  public func realtimeIsVoiceFocusEnabled() -> Bool {
    realtimeController.realtimeIsVoiceFocusEnabled()
  }

  public func addRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver) {
    realtimeController.addRealtimeTranscriptEventObserver(observer: observer)
  }

  public func removeRealtimeTranscriptEventObserver(observer: any TranscriptEventObserver) {
    realtimeController.removeRealtimeTranscriptEventObserver(observer: observer)
  }
}

// MARK: DeviceController

extension DefaultAudioVideoFacade {
  public func listAudioDevices() -> [MediaDevice] {
    deviceController.listAudioDevices()
  }

  public func chooseAudioDevice(mediaDevice: MediaDevice) {
    deviceController.chooseAudioDevice(mediaDevice: mediaDevice)
  }

  public func addDeviceChangeObserver(observer: any DeviceChangeObserver) {
    deviceController.addDeviceChangeObserver(observer: observer)
  }

  public func removeDeviceChangeObserver(observer: any DeviceChangeObserver) {
    deviceController.removeDeviceChangeObserver(observer: observer)
  }

  public func switchCamera() {
    deviceController.switchCamera()
  }

  public func getActiveCamera() -> MediaDevice? {
    deviceController.getActiveCamera()
  }

  public func getActiveAudioDevice() -> MediaDevice? {
    deviceController.getActiveAudioDevice()
  }
}

// MARK: VideoTileControllerFacade

extension DefaultAudioVideoFacade {
  public func bindVideoView(videoView: any VideoRenderView, tileId: Int) {
    videoTileController.bindVideoView(videoView: videoView, tileId: tileId)
  }

  public func unbindVideoView(tileId: Int) {
    videoTileController.unbindVideoView(tileId: tileId)
  }

  public func addVideoTileObserver(observer: any VideoTileObserver) {
    videoTileController.addVideoTileObserver(observer: observer)
  }

  public func removeVideoTileObserver(observer: any VideoTileObserver) {
    videoTileController.removeVideoTileObserver(observer: observer)
  }

  public func pauseRemoteVideoTile(tileId: Int) {
    videoTileController.pauseRemoteVideoTile(tileId: tileId)
  }

  public func resumeRemoteVideoTile(tileId: Int) {
    videoTileController.resumeRemoteVideoTile(tileId: tileId)
  }
}

// MARK: ActiveSpeakerDetectorFacade

extension DefaultAudioVideoFacade {
  public func addActiveSpeakerObserver(
    policy: any ActiveSpeakerPolicy, observer: any ActiveSpeakerObserver
  ) {
    activeSpeakerDetector.addActiveSpeakerObserver(policy: policy, observer: observer)
  }

  public func removeActiveSpeakerObserver(observer: any ActiveSpeakerObserver) {
    activeSpeakerDetector.removeActiveSpeakerObserver(observer: observer)
  }

  public func hasBandwidthPriorityCallback(hasBandwidthPriority: Bool) {
    activeSpeakerDetector.hasBandwidthPriorityCallback(hasBandwidthPriority: hasBandwidthPriority)
  }
}

// MARK: ContentShareController

extension DefaultAudioVideoFacade {
  public func startContentShare(source: ContentShareSource) {
    contentShareController.startContentShare(source: source)
  }

  public func startContentShare(source: ContentShareSource, config: LocalVideoConfiguration) {
    contentShareController.startContentShare(source: source, config: config)
  }

  public func stopContentShare() {
    contentShareController.stopContentShare()
  }

  public func addContentShareObserver(observer: any ContentShareObserver) {
    contentShareController.addContentShareObserver(observer: observer)
  }

  public func removeContentShareObserver(observer: any ContentShareObserver) {
    contentShareController.removeContentShareObserver(observer: observer)
  }
}

// MARK: EventAnalyticsFacade

extension DefaultAudioVideoFacade {
  public func addEventAnalyticsObserver(observer: any EventAnalyticsObserver) {
    eventAnalyticsController.addEventAnalyticsObserver(observer: observer)
  }

  public func removeEventAnalyticsObserver(observer: any EventAnalyticsObserver) {
    eventAnalyticsController.removeEventAnalyticsObserver(observer: observer)
  }

  public func getMeetingHistory() -> [MeetingHistoryEvent] {
    eventAnalyticsController.getMeetingHistory()
  }

  public func getCommonEventAttributes() -> [AnyHashable: Any] {
    eventAnalyticsController.getCommonEventAttributes()
  }
}
