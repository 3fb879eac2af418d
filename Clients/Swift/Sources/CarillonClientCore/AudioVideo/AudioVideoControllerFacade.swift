/// The calls that start and stop the session and its video, and add and remove observers.
public protocol AudioVideoControllerFacade: AnyObject, Sendable {
  /// The configuration with which the application created the session.
  var configuration: MeetingSessionConfiguration { get }

  /// The logger with which the application created the session.
  var logger: any Logger { get }

  /// Starts the session, unmuted and without video; `audioSessionDidStart` follows.
  ///
  /// - Throws: The first error in this list whose condition is true.
  ///   `PermissionError.audioPermissionError` when the configuration needs the permission to record
  ///   and the application does not have this permission. `MediaError.illegalState` when the
  ///   session is already started. `MediaError.audioFailedToStart` when a URL of the audio service
  ///   is blank, or when the process lacks a resource such as open files.
  func start(audioVideoConfiguration: AudioVideoConfiguration) throws

  /// Calls `start(audioVideoConfiguration:)` with this setting, and defaults for all other
  /// settings.
  func start(callKitEnabled: Bool) throws

  /// Calls `start(audioVideoConfiguration:)` with the default configuration.
  func start() throws

  /// Leaves the meeting.
  ///
  /// `audioSessionDidStopWithStatus` follows if the application has started the session. The
  /// session keeps its observers, and the application can start the session again.
  func stop()

  /// Sends the video of the internal camera. On Linux, this camera draws a test pattern.
  ///
  /// While the session is not started, the calls about local and remote video have no effect. If
  /// the meeting's features disable video, this call does not check the permission.
  ///
  /// - Throws: `PermissionError.videoPermissionError` if the application has no permission to use
  ///   the camera; `CarillonClientError.noMedia` in a session without media.
  func startLocalVideo() throws

  /// Sends the video of the internal camera with a configuration.
  ///
  /// The call throws the errors of `startLocalVideo()`.
  func startLocalVideo(config: LocalVideoConfiguration) throws

  /// Sends the frames of the application's source, in place of the frames of the previous source.
  func startLocalVideo(source: any VideoSource)

  /// Sends the frames of a source with a configuration.
  ///
  /// The configured bitrate is the bitrate of the largest layer. In a full HD meeting, this bitrate
  /// is always 2500 kbit/s. If the meeting has reached its limit of cameras, the session sends
  /// nothing. `cameraSendAvailabilityDidChange` reports when the application can try again.
  func startLocalVideo(source: any VideoSource, config: LocalVideoConfiguration)

  /// Stops sending local video, and removes the session's sink from the source.
  func stopLocalVideo()

  /// Starts receiving remote video, including content shares. The application must call this method
  /// after each start of the session.
  func startRemoteVideo()

  /// Stops receiving remote video, and removes the remote tiles. The subscriptions remain.
  func stopRemoteVideo()

  /// Adds an observer, in any state. The observer receives all later events, even after `stop()`.
  func addAudioVideoObserver(observer: any AudioVideoObserver)

  /// Removes an observer. The observer receives no further events, not even pending events.
  ///
  /// The call has no effect if the application has not added the observer.
  func removeAudioVideoObserver(observer: any AudioVideoObserver)

  /// Adds an observer of metrics. A session without media has no metrics, and logs an error.
  func addMetricsObserver(observer: any MetricsObserver)

  /// Removes an observer. Has no effect if the application has not added the observer.
  func removeMetricsObserver(observer: any MetricsObserver)

  /// Chooses the remote video sources to receive, and the configuration of each source.
  ///
  /// Until the first call, the server chooses up to 25 videos. After the first call, the session
  /// receives the sources that the application has added and not removed. A call changes only the
  /// sources in its arguments. When a source becomes unavailable, the session removes the
  /// subscription of this source. The attendee id identifies a source.
  func updateVideoSourceSubscriptions(
    addedOrUpdated: [RemoteVideoSource: VideoSubscriptionConfiguration],
    removed: [RemoteVideoSource])

  /// Promotes the attendee of a replica meeting to its primary meeting.
  ///
  /// The observer receives `didPromoteToPrimaryMeeting` once. The status is `ok` or one of these
  /// errors: `audioAuthenticationRejected` if the credentials belong to no attendee of the primary
  /// meeting, or if this meeting is not a replica; `audioCallAtCapacity` if the primary meeting is
  /// full; `audioServiceUnavailable` while the session is not connected; `audioInternalServerError`
  /// for any other failure, for example if the server has not answered an earlier call yet. The
  /// observer of a successful promotion replaces the observer of an earlier promotion.
  func promoteToPrimaryMeeting(
    credentials: MeetingSessionCredentials, observer: any PrimaryMeetingPromotionObserver)

  /// Ends the promotion.
  ///
  /// The observer of the promotion receives `didDemoteFromPrimaryMeeting` with `ok`. The local
  /// video and the content share end. This call also cancels a promotion that the server has not
  /// answered yet. The call has no effect if the attendee was not promoted.
  func demoteFromPrimaryMeeting()
}
