public import Foundation

/// The outcome of a step of the session, as reported to observers.
public final class MeetingSessionStatus: NSObject, Sendable {
  /// The code of the outcome.
  public let statusCode: MeetingSessionStatusCode

  /// Creates a status from its code.
  public init(statusCode: MeetingSessionStatusCode) {
    self.statusCode = statusCode
  }
}

/// The reason for the reported state of a session, or of its audio or video.
public enum MeetingSessionStatusCode: UInt32, CaseNamed {
  /// The session works normally.
  case ok = 0
  /// An internal failure ended audio.
  case audioDisconnected = 9
  /// The session reconnects because the health of its connection was bad.
  case connectionHealthReconnect = 10
  /// The video session failed.
  case videoServiceUnavailable = 12
  /// The network is too poor for audio.
  case networkBecomePoor = 59
  /// The server ended the session, for example because the meeting ended.
  case audioServerHungup = 60
  /// The same attendee joined from another device.
  case audioJoinedFromAnotherDevice = 61
  /// The server failed, or the loss of the connection ended a promotion.
  case audioInternalServerError = 62
  /// The server rejected the credentials.
  case audioAuthenticationRejected = 63
  /// The meeting is full.
  case audioCallAtCapacity = 64
  /// The service cannot be reached.
  case audioServiceUnavailable = 65
  /// The attendee must continue without audio.
  case audioDisconnectAudio = 69
  /// The meeting had ended before the attendee joined.
  case audioCallEnded = 75
  /// Any status without a code in this list.
  case unknown = 78
  /// The microphone delivered no audio before the timeout.
  case audioInputDeviceNotResponding = 82
  /// The loudspeaker accepted no audio before the timeout.
  case audioOutputDeviceNotResponding = 83
  /// The attendee may receive video but not send it.
  case videoAtCapacityViewOnly = 206
}
