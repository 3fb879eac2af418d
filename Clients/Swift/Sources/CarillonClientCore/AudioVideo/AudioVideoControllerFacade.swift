/// Starts and stops the session, its video and its observers.
public protocol AudioVideoControllerFacade: AnyObject, Sendable {
  /// The configuration the session was built with.
  var configuration: MeetingSessionConfiguration { get }

  /// The logger the session was built with.
  var logger: any Logger { get }

  /// Begins to connect, unmuted and without video; `audioSessionDidStart` follows.
  ///
  /// - Throws: In this order of precedence, `PermissionError.audioPermissionError` without
  ///   permission to record, where that is needed; `MediaError.illegalState` when the session is
  ///   started; `MediaError.audioFailedToStart` when a URL of the audio service is blank, or when
  ///   the process has not got what a connection needs, such as open files.
  func start(audioVideoConfiguration: AudioVideoConfiguration) throws

  /// Does what `start(audioVideoConfiguration:)` does, with defaults for everything else.
  func start(callKitEnabled: Bool) throws

  /// Does what `start(audioVideoConfiguration:)` does, with defaults.
  func start() throws

  /// Leaves the meeting. `audioSessionDidStopWithStatus` follows if the session was started.
  /// Observers stay; the session may be started again.
  func stop()

  /// Sends the internal camera: on Linux one that draws a test pattern.
  ///
  /// This and the calls below have no effect while the session is not started. Nothing is sent, and
  /// nobody is asked, where the meeting's features disable video.
  ///
  /// - Throws: `PermissionError.videoPermissionError` without permission to use the camera;
  ///   `CarillonClientError.noMedia` in a session without media.
  func startLocalVideo() throws

  /// Sends the internal camera with this configuration. Throws as `startLocalVideo()`.
  func startLocalVideo(config: LocalVideoConfiguration) throws

  /// Sends the frames of a source of the application, instead of what was sent before.
  func startLocalVideo(source: any VideoSource)

  /// Sends the frames of a source with this configuration.
  ///
  /// Its bitrate is that of the largest picture; in a meeting of full HD it is always 2500 kbit/s.
  /// If the meeting has its cameras, nothing is sent; `cameraSendAvailabilityDidChange` tells when
  /// it may be tried again.
  func startLocalVideo(source: any VideoSource, config: LocalVideoConfiguration)

  /// Ends sending. The source loses the session's sink.
  func stopLocalVideo()

  /// Begins to receive video, content shares too; needed after each start.
  func startRemoteVideo()

  /// Ends receiving, and the tiles with it. Subscriptions are kept.
  func stopRemoteVideo()

  /// Adds an observer in any state; it hears what happens from now on and survives `stop()`.
  func addAudioVideoObserver(observer: any AudioVideoObserver)

  /// Removes an observer, also for events that are on their way. Nothing happens if it was not
  /// added.
  func removeAudioVideoObserver(observer: any AudioVideoObserver)

  /// Adds an observer of the connection's figures. A session without media has none,
  /// and logs an error.
  func addMetricsObserver(observer: any MetricsObserver)

  /// Removes an observer. Nothing happens if it was not added.
  func removeMetricsObserver(observer: any MetricsObserver)

  /// Chooses which remote videos are received, and how.
  ///
  /// Until the first call the server chooses, up to 25 videos. From then on those come that were
  /// added, and later not removed; what a call does not name stays as it is. A source that becomes
  /// unavailable is removed by itself. Sources are told apart by their attendee ids.
  func updateVideoSourceSubscriptions(
    addedOrUpdated: [RemoteVideoSource: VideoSubscriptionConfiguration],
    removed: [RemoteVideoSource])

  /// Acts as an attendee of the primary meeting, from a session in its replica.
  ///
  /// The observer hears `didPromoteToPrimaryMeeting` once: `ok`; `audioAuthenticationRejected` for
  /// credentials that are not of an attendee of the primary, and in a meeting that is no replica;
  /// `audioCallAtCapacity`; `audioServiceUnavailable` while the session is not connected; and
  /// `audioInternalServerError` for all else, also while an earlier call waits for its answer. An
  /// observer whose promotion has succeeded takes the place of the one before.
  func promoteToPrimaryMeeting(
    credentials: MeetingSessionCredentials, observer: any PrimaryMeetingPromotionObserver)

  /// Goes back to watching. The promotion's observer hears `didDemoteFromPrimaryMeeting` with `ok`;
  /// the local video and the content share end. A promotion that still waits for its answer is
  /// given up. Without effect when the attendee was not promoted.
  func demoteFromPrimaryMeeting()
}
