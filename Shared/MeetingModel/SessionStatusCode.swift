/// The reason why a client's session ended or changed: `MeetingSessionStatusCode` in the client
/// libraries' facade.
///
/// Applications compare the raw values, which never change.
public enum SessionStatusCode: UInt32, CaseIterable, Hashable, Sendable {
  /// The session ended at the client's request.
  case ok = 0
  /// The client's audio failed internally.
  case audioDisconnected = 9
  /// The client reconnects because its connection is in bad health.
  case connectionHealthReconnect = 10
  /// The client's video failed.
  case videoServiceUnavailable = 12
  /// The network is too weak for voice.
  case networkBecomePoor = 59
  /// The server ended the session. A control request deleted the meeting or attendee, or the client
  /// was too slow or sent too much.
  case audioServerHungup = 60
  /// The same attendee joined from another place.
  case audioJoinedFromAnotherDevice = 61
  /// The server failed, or a lost connection ended a promotion.
  case audioInternalServerError = 62
  /// The token is wrong, or the attendee or meeting is unknown. All three cases share one code, so
  /// that a caller cannot guess ids.
  case audioAuthenticationRejected = 63
  /// The meeting is full.
  case audioCallAtCapacity = 64
  /// The service is unreachable, or a promotion began before the client was connected to `media`.
  case audioServiceUnavailable = 65
  /// The attendee continues without audio.
  case audioDisconnectAudio = 69
  /// The meeting had ended before the client joined.
  case audioCallEnded = 75
  /// Any other status.
  case unknown = 78
  /// The client's input device timed out.
  case audioInputDeviceNotResponding = 82
  /// The client's output device timed out.
  case audioOutputDeviceNotResponding = 83
  /// The attendee may receive video but not send it.
  case videoAtCapacityViewOnly = 206
}
