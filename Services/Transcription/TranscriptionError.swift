import MeetingModel

/// The reason why transcription refuses a request.
enum TranscriptionError: StatusConvertible, Hashable {
  /// The meeting has ended.
  case meetingEnded
  /// This connection has attached no engine with this id.
  case unknownEngine
  /// The limit of attached engines is reached.
  case tooManyEngines(limit: Int)
  /// The limit of a meeting's sessions with chosen languages is reached.
  case tooManySessions(limit: Int)

  var status: Status {
    switch self {
    case .meetingEnded:
      Status(.failedPrecondition, "The meeting has ended.", session: .audioCallEnded)
    case .unknownEngine:
      Status(.notFound, "This engine is not attached; attach it again.")
    case .tooManyEngines(let limit):
      Status(.resourceExhausted, "\(limit) engines are attached; raise --max-engines.")
    case .tooManySessions(let limit):
      Status(
        .resourceExhausted, "\(limit) sessions of the meeting chose languages; that is the most.")
    }
  }
}
