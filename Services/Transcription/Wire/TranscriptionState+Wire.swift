import MeetingModel
import Wire

extension V1.TranscriptSnapshot {
  /// Encodes a snapshot without its position. The owner of the event stream adds the position.
  ///
  /// - Parameter snapshot: The snapshot; `nil` for an unknown meeting.
  init(_ snapshot: TranscriptSnapshot?, of meeting: MeetingID) {
    self.init(
      meetingID: meeting.text, status: snapshot?.status.map { V1.TranscriptionStatus($0) },
      open: snapshot.map { V1.Transcript($0.open) },
      sessions: snapshot?.choices.map { $0.wire(in: meeting) } ?? [])
  }
}

extension V1.TranscriptionState {
  /// - Parameter state: The state; `nil` for an unknown meeting.
  init(_ state: TranscriptionState?, of meeting: MeetingID) {
    let talkers = state?.talkers.map { V1.TalkerState($0) } ?? []
    self.init(
      meetingID: meeting.text, isRunning: state?.settings != nil,
      configuration: state?.settings?.source.wire,
      status: state?.status.map { V1.TranscriptionStatus($0) }, talkers: talkers,
      backlogMs: talkers.map(\.backlogMs).max() ?? 0)
  }
}

extension V1.TalkerState {
  fileprivate init(_ talker: TalkerState) {
    self.init(
      attendee: V1.AttendeeInfo(talker.speaker), engineID: talker.engine ?? "",
      languageCode: talker.language?.text ?? "",
      backlogMs: UInt32(clamping: talker.backlogMs),
      droppedMs: talker.droppedMs)
  }
}

extension V1.AttachedEngine {
  /// - Parameter instance: The engine's instance.
  init(_ engine: EngineState, at instance: String) {
    self.init(
      engineID: engine.description.id, instance: instance,
      capabilities: V1.EngineCapabilities(engine.description),
      streams: UInt32(clamping: engine.streams),
      backlogMs: UInt32(clamping: engine.backlogMs), attachedAtMs: engine.attachedAtMs)
  }
}
