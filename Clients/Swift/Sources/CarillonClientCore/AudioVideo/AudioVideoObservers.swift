/// An observer of the audio session and the video session.
///
/// The library makes all calls on the main thread. The audio session and the video session change
/// independently.
public protocol AudioVideoObserver: AnyObject {
  /// The audio session is connecting, or reconnecting after `audioSessionDidDrop`.
  func audioSessionDidStartConnecting(reconnecting: Bool)

  /// The audio session has started, or has reconnected.
  func audioSessionDidStart(reconnecting: Bool)

  /// The session has lost the connection, and tries to reconnect.
  func audioSessionDidDrop()

  /// The audio session has stopped. Called at most once per start. The status contains the reason.
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus)

  /// The session no longer tries to reconnect.
  func audioSessionDidCancelReconnect()

  /// The network is good enough for audio again.
  func connectionDidRecover()

  /// The network is too poor for audio.
  func connectionDidBecomePoor()

  /// The video session is connecting, for the first time or again.
  func videoSessionDidStartConnecting()

  /// The video session has started. The status is `ok`, or `videoAtCapacityViewOnly` if the session
  /// may not send camera video.
  ///
  /// Called again when the status changes.
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus)

  /// The video session has stopped. The status is `ok` after a stop, and `videoServiceUnavailable`
  /// after a failure.
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus)

  /// Remote video sources became available. While a source remains available, all calls pass the
  /// same object for this source.
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource])

  /// Remote video sources became unavailable.
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource])

  /// The session can now send camera video, or can no longer send camera video.
  func cameraSendAvailabilityDidChange(available: Bool)
}

/// An observer of metrics. The library makes all calls on the main thread.
public protocol MetricsObserver: AnyObject {
  /// Receives the current metrics, about once a second; the keys are values of `ObservableMetric`.
  func metricsDidReceive(metrics: [AnyHashable: Any])
}

/// A metric of the session. Rates are in bit/s, losses in per cent; counts cover the last second.
public enum ObservableMetric: Int, CaseNamed {
  /// The loss of audio packets on the way from the server in the last second, in per cent.
  case audioReceivePacketLossPercent = 0
  /// The loss of audio packets on the way to the server in the last second, in per cent.
  case audioSendPacketLossPercent = 1
  /// The estimated bandwidth of the uplink, in bit/s.
  case videoAvailableSendBandwidth = 2
  /// The estimated bandwidth of the downlink, in bit/s.
  case videoAvailableReceiveBandwidth = 3
  /// The bitrate of all sent video, in bit/s; missing while the session sends no video.
  case videoSendBitrate = 4
  /// The loss of video packets on the way to the server, in per cent.
  case videoSendPacketLossPercent = 5
  /// The frames per second, averaged over the sent streams.
  case videoSendFps = 6
  /// The round-trip time of video packets to the server, in milliseconds.
  case videoSendRttMs = 7
  /// The bitrate of all received video, in bit/s; missing while the session receives no video.
  case videoReceiveBitrate = 8
  /// The loss of video packets on the way from the server, in per cent.
  case videoReceivePacketLossPercent = 9
  /// The bitrate of the sent content share, in bit/s.
  case contentShareVideoSendBitrate = 10
  /// The loss of the content share's packets on the way to the server, in per cent.
  case contentShareVideoSendPacketLossPercent = 11
  /// The frames per second of the sent content share.
  case contentShareVideoSendFps = 12
  /// The round-trip time of the content share's packets to the server, in milliseconds.
  case contentShareVideoSendRttMs = 13
  /// The number of other attendees' audio packets whose loss the server concealed in the mix in the
  /// last second.
  ///
  /// `audioReceivePacketLossPercent` covers the packets whose loss this client conceals.
  case audioReceiveConcealedPackets = 14

  /// Whether the metric belongs to the content share.
  public var isContentShareMetric: Bool {
    description.hasPrefix("contentShare")
  }
}

/// An observer of a promotion from a replica meeting to its primary meeting.
///
/// The library makes all calls on the main thread.
public protocol PrimaryMeetingPromotionObserver: AnyObject {
  /// The server has answered the request for a promotion. Called once. The status is `ok` if the
  /// attendee now acts in the primary meeting.
  func didPromoteToPrimaryMeeting(status: MeetingSessionStatus)

  /// The promotion has ended. Called once for each successful promotion.
  ///
  /// The status is `ok` after a demotion by the application, and `audioAuthenticationRejected`
  /// after the deletion of the attendee of the primary meeting. In all other cases, the status is
  /// `audioInternalServerError`. After a loss of the connection, the library calls this method as
  /// soon as the connection is restored.
  func didDemoteFromPrimaryMeeting(status: MeetingSessionStatus)
}
