/// Hears how the session fares. All calls come on main; audio and video take their course
/// independently of each other.
public protocol AudioVideoObserver: AnyObject {
  /// The session is being opened, or opened again after `audioSessionDidDrop`.
  func audioSessionDidStartConnecting(reconnecting: Bool)

  /// The session is open, or open again.
  func audioSessionDidStart(reconnecting: Bool)

  /// The connection was lost and is tried again.
  func audioSessionDidDrop()

  /// The session is over; at most once for each start. See `MeetingSessionStatusCode` for why.
  func audioSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus)

  /// The lost connection is no longer tried again.
  func audioSessionDidCancelReconnect()

  /// The network is good enough for voice again.
  func connectionDidRecover()

  /// The network is too weak for voice.
  func connectionDidBecomePoor()

  /// The video part is being opened, for the first time or again.
  func videoSessionDidStartConnecting()

  /// The video part is open: `ok`, or `videoAtCapacityViewOnly` if no camera may be sent. May come
  /// again when that changes.
  func videoSessionDidStartWithStatus(sessionStatus: MeetingSessionStatus)

  /// The video part is over: `ok` after a stop, `videoServiceUnavailable` after a failure.
  func videoSessionDidStopWithStatus(sessionStatus: MeetingSessionStatus)

  /// Attendees began to offer video. A source stays the same object while it is available.
  func remoteVideoSourcesDidBecomeAvailable(sources: [RemoteVideoSource])

  /// Attendees no longer offer video.
  func remoteVideoSourcesDidBecomeUnavailable(sources: [RemoteVideoSource])

  /// Sending camera video became possible or impossible.
  func cameraSendAvailabilityDidChange(available: Bool)
}

/// Hears the figures of the connection. All calls come on main.
public protocol MetricsObserver: AnyObject {
  /// The current figures, about once a second; the keys are `ObservableMetric`.
  func metricsDidReceive(metrics: [AnyHashable: Any])
}

/// A figure of the connection. Rates are in bit/s, losses in per cent, counts of the last second.
public enum ObservableMetric: Int, CaseNamed {
  /// Audio packets lost on the way from the server, in per cent of the last second.
  case audioReceivePacketLossPercent = 0
  /// Audio packets lost on the way to the server, in per cent of the last second.
  case audioSendPacketLossPercent = 1
  /// What the uplink is estimated to carry, in bit/s.
  case videoAvailableSendBandwidth = 2
  /// What the downlink is estimated to carry, in bit/s.
  case videoAvailableReceiveBandwidth = 3
  /// All video that is sent, in bit/s. It is missing while none is sent.
  case videoSendBitrate = 4
  /// Video packets lost on the way to the server, in per cent.
  case videoSendPacketLossPercent = 5
  /// Frames per second, averaged over the streams that are sent.
  case videoSendFps = 6
  /// The round trip of video packets to the server, in milliseconds.
  case videoSendRttMs = 7
  /// All video that is received, in bit/s. It is missing while none is received.
  case videoReceiveBitrate = 8
  /// Video packets lost on the way from the server, in per cent.
  case videoReceivePacketLossPercent = 9
  /// The content share that is sent, in bit/s.
  case contentShareVideoSendBitrate = 10
  /// Packets of the content share lost on the way to the server, in per cent.
  case contentShareVideoSendPacketLossPercent = 11
  /// Frames per second of the content share.
  case contentShareVideoSendFps = 12
  /// The round trip of the content share's packets to the server, in milliseconds.
  case contentShareVideoSendRttMs = 13
  /// Audio packets of other talkers that the server concealed in the mix, in the last second. What
  /// this client conceals itself is in `audioReceivePacketLossPercent`.
  case audioReceiveConcealedPackets = 14

  /// Whether the figure is one of the content share.
  public var isContentShareMetric: Bool {
    description.hasPrefix("contentShare")
  }
}

/// Hears how a promotion from a replica meeting into its primary meeting fares. All calls come on
/// main.
public protocol PrimaryMeetingPromotionObserver: AnyObject {
  /// Answers a promotion, once. `ok`: the attendee acts in the primary meeting now.
  func didPromoteToPrimaryMeeting(status: MeetingSessionStatus)

  /// The promotion has ended, once for each one that had succeeded: `ok` as the application asked;
  /// `audioAuthenticationRejected` when the attendee of the primary was deleted;
  /// `audioInternalServerError` with the session, by any lost connection as soon as it is back, and
  /// for all else.
  func didDemoteFromPrimaryMeeting(status: MeetingSessionStatus)
}
