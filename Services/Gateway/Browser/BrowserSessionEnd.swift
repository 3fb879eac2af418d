import MeetingModel

/// The way in which the gateway reports to a browser that the browser's session has ended, or that
/// the gateway refuses the session.
enum BrowserSessionEnd: Hashable {
  /// The frame AUDIO_STATUS. On receipt, the client leaves and closes its connection.
  case status(UInt32)

  /// The frame JOIN_ACK with an error.
  ///
  /// A client that has not joined yet does not reconnect after this frame.
  case refusal(UInt32)

  /// The gateway only closes the connection.
  case close(CloseCode)

  /// - Parameters:
  ///   - status: The reason; `nil` if the client requested the end.
  ///   - isJoined: Whether the client has received its first INDEX.
  init(_ status: Status?, isJoined: Bool) {
    guard let status else {
      self = .close(.normal)
      return
    }
    switch status.reason {
    case .slowConsumer: self = .close(.tooSlow)
    case .keepAliveLost: self = .close(.silent)
    case .draining, .overloaded: self = .close(.unavailable)
    case .joinedElsewhere: self = .status(301)
    case .meetingDeleted, .meetingExpired: self = isJoined ? .status(410) : .close(.meetingEnded)
    case .attendeeDeleted, .flooding: self = .status(411)
    default: self.init(status.code, status.sessionStatus, isJoined)
    }
  }

  private init(_ code: StatusCode, _ session: SessionStatusCode?, _ isJoined: Bool) {
    switch session {
    case .audioCallEnded: self = isJoined ? .status(410) : .close(.meetingEnded)
    case .audioAuthenticationRejected: self = isJoined ? .status(403) : .close(.refused)
    case .audioCallAtCapacity: self = isJoined ? .status(409) : .refusal(409)
    case .audioJoinedFromAnotherDevice: self = .status(301)
    case .audioServerHungup: self = .status(411)
    default:
      switch code {
      case .unavailable, .deadlineExceeded, .aborted, .cancelled: self = .close(.unavailable)
      case .invalidArgument, .outOfRange: self = .close(.badFrame)
      case .permissionDenied, .unauthenticated: self = .close(.refused)
      // `resourceExhausted` means that the meeting or the attendee has reached its limit of content
      // shares.
      case .resourceExhausted: self = isJoined ? .status(409) : .refusal(409)
      default: self = .close(.internalError)
      }
    }
  }
}

extension Status {
  /// The error code of a refused promotion in a PRIMARY_MEETING_JOIN_ACK.
  var promotionError: UInt32 {
    switch sessionStatus {
    case .audioAuthenticationRejected: 403
    case .audioCallAtCapacity: 409
    case .audioServiceUnavailable: 503
    default: 500
    }
  }
}
