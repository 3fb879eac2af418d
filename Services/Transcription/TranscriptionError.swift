import MeetingModel

/// Why transcription refuses.
enum TranscriptionError: StatusConvertible, Hashable {
  /// The meeting is over.
  case meetingEnded
  /// No engine with this id is attached by this connection.
  case unknownEngine
  /// More engines are attached than may be.
  case tooManyEngines(limit: Int)
  /// More sessions of a meeting chose languages than may.
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
