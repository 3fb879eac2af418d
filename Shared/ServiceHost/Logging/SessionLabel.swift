public import Logging
public import MeetingModel

/// Whose step a log line tells of: a client's session, as all services name it.
public struct SessionLabel {
  /// The session; `nil` before it has an id.
  public var session: SessionID?

  /// Whose it is, where that is known.
  public var participant: ParticipantID?

  /// The meeting it is in, where that is known.
  public var meeting: MeetingID?

  /// The `traceparent` of what the client asked, or a text that is none.
  public var traceparent: String

  /// Names a session.
  public init(
    _ session: SessionID?, of participant: ParticipantID? = nil, in meeting: MeetingID?,
    traceparent: String
  ) {
    (self.session, self.participant, self.meeting) = (session, participant, meeting)
    self.traceparent = traceparent
  }

  /// What is known of it.
  var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = [:]
    metadata[LogKey.session] = session.map { "\($0)" }
    metadata[LogKey.attendee] = participant.map { "\($0.attendee)" }
    metadata[LogKey.meeting] = meeting.map { "\($0)" }
    metadata[LogKey.trace] = TraceParent(traceparent).map { "\($0.traceID)" }
    if participant?.modality != nil { metadata[LogKey.isContent] = "true" }
    return metadata
  }
}

extension Logger {
  /// Logs a step in the life of a session. `carillon trace` puts those of one session together.
  ///
  /// - Parameters:
  ///   - label: Not made unless the level is logged.
  ///   - more: What else there is to say of the step.
  public func step(
    _ step: @autoclosure () -> Logger.Message, at level: Logger.Level = .debug,
    of label: @autoclosure () -> SessionLabel, _ more: @autoclosure () -> Logger.Metadata = [:]
  ) {
    guard logLevel <= level else { return }
    log(level: level, step(), metadata: label().metadata.merging(more()) { $1 })
  }
}
