import Bus
import MeetingModel
import OwnerTestSupport
import TestSupport
import Trials
import Wire

extension SeenEvent {
  var events: [V1.TranscriptEvent] {
    body.events.flatMap { event -> [V1.TranscriptEvent] in
      if case .transcriptEvents(let events) = event.event { events.events } else { [] }
    }
  }

  /// The names of statuses and the texts of results. Partial results end with an ellipsis.
  var texts: [String] {
    events.flatMap { event -> [String] in
      switch event.event {
      case .status(let status): ["\(status.type)"]
      case .transcript(let transcript):
        transcript.results.map { $0.text + ($0.isPartial ? "…" : "") }
      case nil: []
      }
    }
  }

  var results: [V1.TranscriptResult] {
    events.flatMap { event -> [V1.TranscriptResult] in
      if case .transcript(let transcript) = event.event { transcript.results } else { [] }
    }
  }
}

extension FollowedStream {
  /// The transcript stream of the planning meeting.
  static let transcripts = FollowedStream(
    of: "transcription-a", .transcripts(of: .planning), replay: V1.TranscriptionMethods.replay
  ) { epoch, sequence in
    V1.ReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence)
  } missed: { reply in
    switch reply.outcome {
    case .events(let replayed): .events(replayed.events)
    case .snapshot(let snapshot): .position(epoch: snapshot.epoch, sequence: snapshot.sequence)
    case nil: nil
    }
  }
}

/// Requests to transcription.
extension TestGateway {
  /// Follows all events of the planning meeting from now on.
  func follow() async throws(Status) {
    subscribe()
    let snapshot: V1.TranscriptSnapshot
    do {
      snapshot = try await self.snapshot()
    } catch  where error.code == .unavailable {
      // The gateway lost the connection to the previous instance, so the first request failed.
      snapshot = try await self.snapshot()
    }
    takeEvents(ofEpoch: snapshot.epoch, after: snapshot.sequence)
  }

  @discardableResult
  func start(
    _ configuration: V1.TranscriptionConfiguration = .init(languageCode: "en-US")
  ) async throws(Status) -> Bool {
    try await call(
      V1.TranscriptionMethods.start,
      V1.StartTranscriptionRequest(
        meetingID: MeetingID.planning.text, configuration: configuration)
    ).wasRunning
  }

  @discardableResult
  func stop() async throws(Status) -> Bool {
    try await call(
      V1.TranscriptionMethods.stop,
      V1.StopTranscriptionRequest(meetingID: MeetingID.planning.text)
    ).wasRunning
  }

  /// Announces the running transcriptions.
  ///
  /// - Returns: The answer, which contains the refused transcriptions.
  @discardableResult
  func announce(
    _ transcriptions: [V1.StartTranscriptionRequest] = [], sessions: [V1.TranscriptSession] = []
  ) async throws(Status) -> V1.AnnounceTranscriptionReply {
    try await call(
      V1.TranscriptionMethods.announce,
      V1.AnnounceTranscriptionRequest(
        gateway: "gateway-a", transcriptions: transcriptions, sessions: sessions, last: true,
        gatewayRun: 1))
  }

  func snapshot() async throws(Status) -> V1.TranscriptSnapshot {
    try await call(
      V1.TranscriptionMethods.snapshot, V1.SnapshotRequest(meetingID: MeetingID.planning.text))
  }

  /// Waits until these statuses and texts have arrived in this order. Other statuses and texts may
  /// arrive in between.
  @discardableResult
  func sees(_ texts: [String]) async throws -> [SeenEvent] {
    try await seen.wait(for: texts.joined(separator: ", ")) { seen in
      var wanted = texts[...]
      for text in seen.flatMap(\.texts) where text == wanted.first { wanted.removeFirst() }
      return wanted.isEmpty
    }
  }
}
