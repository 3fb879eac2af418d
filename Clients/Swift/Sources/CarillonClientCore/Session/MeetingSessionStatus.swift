public import Foundation

/// What an observer is told about the outcome of a step of the session.
public final class MeetingSessionStatus: NSObject, Sendable {
  /// The outcome.
  public let statusCode: MeetingSessionStatusCode

  /// Makes a status from its code.
  public init(statusCode: MeetingSessionStatusCode) {
    self.statusCode = statusCode
  }
}

/// Why a session, or its audio or video part, is in the state it reports.
public enum MeetingSessionStatusCode: UInt32, CaseNamed {
  /// Everything is as it should be.
  case ok = 0
  /// Audio ended by an internal failure.
  case audioDisconnected = 9
  /// The link is opened anew because its health was bad.
  case connectionHealthReconnect = 10
  /// The video part failed.
  case videoServiceUnavailable = 12
  /// The network is too weak for voice.
  case networkBecomePoor = 59
  /// The server ended the session, for example because the meeting ended.
  case audioServerHungup = 60
  /// The same attendee joined from somewhere else.
  case audioJoinedFromAnotherDevice = 61
  /// The server failed, or a promotion was lost with the connection.
  case audioInternalServerError = 62
  /// The credentials were refused.
  case audioAuthenticationRejected = 63
  /// The meeting is full.
  case audioCallAtCapacity = 64
  /// The service cannot be reached.
  case audioServiceUnavailable = 65
  /// The attendee has to go on without audio.
  case audioDisconnectAudio = 69
  /// The meeting had ended before the attendee joined.
  case audioCallEnded = 75
  /// Anything that has no code of its own.
  case unknown = 78
  /// The microphone gave nothing in time.
  case audioInputDeviceNotResponding = 82
  /// The loudspeaker took nothing in time.
  case audioOutputDeviceNotResponding = 83
  /// Video may be received but not sent.
  case videoAtCapacityViewOnly = 206
}
