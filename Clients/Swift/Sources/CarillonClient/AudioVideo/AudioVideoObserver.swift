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
