internal import MeetingModel
internal import Wire

extension V1.SessionStarted {
  /// Whether the server will send all data messages that a resumed session missed.
  ///
  /// If the server does not know the session, the session receives only the messages that the
  /// meeting keeps for late joiners.
  var hasAllMessages: Bool {
    (isResumed || isRecovered) && !incompleteStreams.contains(MessageCursor.stream)
  }
}

extension Status {
  /// Whether the client can resume the session, at another gateway or later.
  var isWorthResuming: Bool {
    switch reason {
    case .slowConsumer, .keepAliveLost, .draining, .overloaded: true
    default:
      code == .unavailable || code == .deadlineExceeded
        || code == .aborted && sessionStatus == nil
    }
  }

  /// Whether the client retries the call, because a retry may succeed or because the network may
  /// have lost the answer.
  var isWorthRepeating: Bool {
    switch code {
    case .unavailable, .deadlineExceeded, .aborted, .cancelled: true
    // The keep-alive detects whether the gateway has forgotten the session.
    case .unauthenticated: true
    case .resourceExhausted: reason == .overloaded
    case .ok, .unknown, .invalidArgument, .notFound, .alreadyExists, .permissionDenied,
      .failedPrecondition, .outOfRange, .unimplemented, .internalError, .dataLoss:
      false
    }
  }
}
