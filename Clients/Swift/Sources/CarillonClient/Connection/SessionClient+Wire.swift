internal import MeetingModel
internal import Wire

extension V1.SessionStarted {
  /// With a resume: whether all data messages that were missed follow. Who is a newcomer to the
  /// server gets only those that are kept for late joiners.
  var hasAllMessages: Bool {
    (isResumed || isRecovered) && !incompleteStreams.contains(MessageCursor.stream)
  }
}

extension Status {
  /// Whether the session goes on elsewhere or later, rather than being over.
  var isWorthResuming: Bool {
    switch reason {
    case .slowConsumer, .keepAliveLost, .draining, .overloaded: true
    default:
      code == .unavailable || code == .deadlineExceeded
        || code == .aborted && sessionStatus == nil
    }
  }
}
