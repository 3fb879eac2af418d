internal import Wire

/// The transcript events that a session has received. The type distinguishes new events from
/// repeated events.
///
/// The type is a value without I/O: it applies events and snapshots, and returns the new events for
/// observers. Repeated events arrive after a lost connection, because the server does not always
/// know which events the client received last.
struct SessionTranscripts: Sendable {
  private var revisions: [String: UInt32] = [:]

  /// The ids of the latest final results, oldest first.
  private var finished: [String] = []
  private var statuses: [V1.TranscriptionStatus] = []

  private static let rememberedResults = 512
  private static let rememberedStatuses = 16

  /// Returns the new events of a batch, in order.
  mutating func apply(_ batch: V1.TranscriptEvents) -> [TranscriptUpdate] {
    batch.events.compactMap { event in
      switch event.event {
      case .status(let status): take(status)
      case .transcript(let transcript): take(transcript)
      case nil: nil
      }
    }
  }

  /// Returns the status and the results of a snapshot that the session has not received before.
  mutating func apply(_ snapshot: V1.TranscriptSnapshot) -> [TranscriptUpdate] {
    [snapshot.status.flatMap { take($0) }, snapshot.open.flatMap { take($0) }].compactMap(\.self)
  }

  private mutating func take(_ status: V1.TranscriptionStatus) -> TranscriptUpdate? {
    guard !statuses.contains(status) else { return nil }
    statuses.append(status)
    if statuses.count > Self.rememberedStatuses { statuses.removeFirst() }
    return .status(TranscriptionStatus(status))
  }

  private mutating func take(_ transcript: V1.Transcript) -> TranscriptUpdate? {
    let new = transcript.results.filter { isNew($0) }
    return new.isEmpty ? nil : .transcript(Transcript(results: new.map(TranscriptResult.init)))
  }

  private mutating func isNew(_ result: V1.TranscriptResult) -> Bool {
    guard result.revision > revisions[result.resultID] ?? 0 else { return false }
    revisions[result.resultID] = result.revision
    if !result.isPartial {
      finished.append(result.resultID)
      if finished.count > Self.rememberedResults {
        revisions[finished.removeFirst()] = nil
      }
    }
    return true
  }
}

/// A transcript event for the observers.
enum TranscriptUpdate: Sendable {
  case status(TranscriptionStatus)
  case transcript(Transcript)

  var event: any TranscriptEvent {
    switch self {
    case .status(let status): status
    case .transcript(let transcript): transcript
    }
  }
}
