internal import MeetingViews
internal import Output
internal import Wire

extension OutputRecord {
  /// Creates the record of a meeting's transcription.
  init(_ state: V1.TranscriptionState) {
    self = [
      "meeting_id": .text(state.meetingID), "is_running": .bool(state.isRunning),
      "status": state.status.map { .text(Self.name(of: $0.type)) } ?? .null,
      "status_time_ms": state.status.map { JSONValue($0.eventTimeMs) } ?? .null,
      "message": state.status.flatMap { $0.message.isEmpty ? nil : .text($0.message) } ?? .null,
      "language_code": state.configuration.flatMap {
        $0.languageCode.isEmpty ? nil : .text($0.languageCode)
      } ?? .null,
      "backlog_ms": JSONValue(state.backlogMs),
      "talkers": .list(state.talkers.map { .text(Self.line(of: $0)) }),
    ]
  }

  /// Creates the record of an attached engine.
  init(_ engine: V1.AttachedEngine) {
    let capabilities = engine.capabilities ?? V1.EngineCapabilities()
    self = [
      "engine_id": .text(engine.engineID), "name": .text(capabilities.name),
      "version": .text(capabilities.version),
      "languages": .text(capabilities.languages.map(\.languageCode).joined(separator: ",")),
      "has_partials": .bool(capabilities.hasPartials), "streams": JSONValue(engine.streams),
      "max_streams": JSONValue(capabilities.maxStreams), "backlog_ms": JSONValue(engine.backlogMs),
      "attached_to": .text(engine.instance), "attached_at_ms": JSONValue(engine.attachedAtMs),
    ]
  }

  private static func line(of talker: V1.TalkerState) -> String {
    let name = PrintableText.escaped(talker.attendee?.shownName ?? "")
    let engine = talker.engineID.isEmpty ? "no engine" : talker.engineID
    return "\(name) at \(engine), \(talker.backlogMs) ms wait, \(talker.droppedMs) ms dropped"
  }

  private static func name(of type: V1.TranscriptionStatusType) -> String {
    switch type {
    case .started: "started"
    case .interrupted: "interrupted"
    case .resumed: "resumed"
    case .stopped: "stopped"
    case .failed: "failed"
    case .unspecified, .unrecognized: "unknown"
    }
  }
}
