import MeetingModel

/// How a browser is told that its session ends, or may not begin.
enum BrowserEnding: Hashable {
  /// An AUDIO_STATUS; the client leaves and closes.
  case status(UInt32)

  /// A JOIN_ACK with an error, which a client that is not in the meeting yet does not come back
  /// after.
  case refusal(UInt32)

  /// Nothing but the end of the connection.
  case close(CloseCode)

  /// - Parameters:
  ///   - status: Why; `nil`: the client wanted it.
  ///   - isJoined: The client has had its first INDEX.
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
      // The meeting has its content shares, or the attendee shares already.
      case .resourceExhausted: self = isJoined ? .status(409) : .refusal(409)
      default: self = .close(.internalError)
      }
    }
  }
}

extension Status {
  /// What a refused promotion is in a PRIMARY_MEETING_JOIN_ACK.
  var promotionError: UInt32 {
    switch sessionStatus {
    case .audioAuthenticationRejected: 403
    case .audioCallAtCapacity: 409
    case .audioServiceUnavailable: 503
    default: 500
    }
  }
}
