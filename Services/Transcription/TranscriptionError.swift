import MeetingModel

/// The reason why the service refuses a request.
enum TranscriptionError: StatusConvertible, Hashable {
  /// The meeting has ended.
  case meetingEnded
  /// The connection has attached no engine with this id.
  case unknownEngine
  /// The service has reached its limit of attached engines.
  case tooManyEngines(limit: Int)
  /// The meeting has reached its limit of sessions with chosen languages.
  case tooManySessions(limit: Int)

  var status: Status {
    switch self {
    case .meetingEnded:
      Status(
        .failedPrecondition, "The meeting has ended; create or join another meeting.",
        session: .audioCallEnded)
    case .unknownEngine:
      Status(.notFound, "This engine is not attached; attach it again.")
    case .tooManyEngines(let limit):
      Status(
        .resourceExhausted,
        "\(limit) engines are attached, which is the limit; stop one, or raise --max-engines.")
    case .tooManySessions(let limit):
      Status(
        .resourceExhausted,
        """
        \(limit) sessions of the meeting have chosen languages, which is the limit; retry after \
        one has left.
        """)
    }
  }
}
