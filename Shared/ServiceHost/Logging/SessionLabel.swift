public import Logging
public import MeetingModel

/// The session of a log line. All services label sessions in the same way.
public struct SessionLabel {
  /// The session; `nil` before the session has an id.
  public var session: SessionID?

  /// The session's participant, if known.
  public var participant: ParticipantID?

  /// The session's meeting, if known.
  public var meeting: MeetingID?

  /// The `traceparent` of the client's request. The text may be invalid or empty.
  public var traceparent: String

  /// Makes a label.
  public init(
    _ session: SessionID?, of participant: ParticipantID? = nil, in meeting: MeetingID?,
    traceparent: String
  ) {
    (self.session, self.participant, self.meeting) = (session, participant, meeting)
    self.traceparent = traceparent
  }

  /// The known parts as metadata.
  var metadata: Logger.Metadata {
    var metadata: Logger.Metadata = [:]
    metadata[LogMetadataKey.session] = session.map { "\($0)" }
    metadata[LogMetadataKey.attendee] = participant.map { "\($0.attendee)" }
    metadata[LogMetadataKey.meeting] = meeting.map { "\($0)" }
    metadata[LogMetadataKey.trace] = TraceParent(traceparent).map { "\($0.traceID)" }
    if participant?.modality != nil { metadata[LogMetadataKey.isContent] = "true" }
    return metadata
  }
}

extension Logger {
  /// Logs a step of a session. `carillon trace` collects the steps of one session.
  ///
  /// - Parameters:
  ///   - label: The session. The method evaluates this argument only if the process logs the level.
  ///   - more: Further metadata of the step.
  public func step(
    _ step: @autoclosure () -> Logger.Message, at level: Logger.Level = .debug,
    of label: @autoclosure () -> SessionLabel, _ more: @autoclosure () -> Logger.Metadata = [:]
  ) {
    guard logLevel <= level else { return }
    log(level: level, step(), metadata: label().metadata.merging(more()) { $1 })
  }
}
