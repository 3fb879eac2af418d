import Bus
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

/// A meeting's transcript, as a gateway receives it from a transcription process. This program acts
/// as the gateway.
actor TranscriptBenchmarkMeeting {
  /// All received events, in order.
  nonisolated let events = AwaitableEntryList<V1.TranscriptEvent>()
  private nonisolated let beacons = AwaitableEntryList<Void>()
  private let meeting: MeetingID
  private let thread: SocketThread
  private let context: ZMQContext
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?
  private var lastSequence: UInt64 = 0
  private var isBroken = false

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(of meeting: MeetingID, on thread: SocketThread) throws {
    (self.meeting, self.thread) = (meeting, thread)
    context = try ZMQContext()
  }

  /// Starts the meeting's transcription and waits until an engine runs the transcription.
  ///
  /// - Parameter base: The path prefix of the sockets of the service `transcription`.
  func begin(at base: String) async throws {
    channel = try RequestChannel(to: .ipc("\(base).rpc.sock"), in: context, on: thread)
    let subscriber = try EventSubscriber(
      to: .ipc("\(base).events.sock"), instance: "transcription-a", in: context, on: thread)
    subscriber.onEvent = { [unowned self] in arrive($0) }
    subscriber.onBeacon = { [beacons] _ in beacons.append(()) }
    subscriber.subscribe(to: .transcripts(of: meeting))
    self.subscriber = subscriber
    // From the first beacon on, the subscriber receives every event.
    try await beacons.wait(for: "a beacon of transcription", within: .seconds(20)) {
      !$0.isEmpty
    }
    _ = try await call(
      V1.TranscriptionMethods.start,
      V1.StartTranscriptionRequest(
        meetingID: meeting.text, configuration: .init(languageCode: "en-US")))
    try await events.wait(for: "the transcription to start", within: .seconds(60)) {
      $0.contains {
        if case .status(let status) = $0.event { status.type == .started } else { false }
      }
    }
  }

  func end() {
    channel?.close()
    subscriber?.close()
    (channel, subscriber) = (nil, nil)
  }

  private func arrive(_ event: ReceivedBusEvent) {
    if lastSequence > 0, event.header.sequence != lastSequence + 1 { isBroken = true }
    lastSequence = event.header.sequence
    guard let body = try? V1.SessionEvents(packed: event.body) else { return isBroken = true }
    for part in body.events {
      if case .transcriptEvents(let transcript) = part.event {
        for event in transcript.events { events.append(event) }
      }
    }
  }

  /// Waits until the engine has had no backlog and no open utterance for two seconds.
  ///
  /// - Returns: The dropped speech, in milliseconds.
  func settle() async throws -> Int {
    var calm = 0
    var dropped: UInt64 = 0
    try await eventually("the end of the transcript", within: .seconds(240)) {
      let state = try await call(
        V1.TranscriptionMethods.getState,
        V1.GetTranscriptionStateRequest(meetingID: meeting.text))
      let snapshot = try await call(
        V1.TranscriptionMethods.snapshot, V1.SnapshotRequest(meetingID: meeting.text))
      let isCalm = state.backlogMs == 0 && snapshot.open?.results.isEmpty ?? true
      calm = isCalm ? calm + 1 : 0
      dropped = state.talkers.map(\.droppedMs).reduce(0, +)
      if calm <= 20 { try await Task.sleep(for: .milliseconds(80)) }
      return calm > 20
    }
    guard !isBroken else { throw BenchError.missing("A part of the transcript") }
    return Int(dropped)
  }

  private func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws -> Reply {
    guard let channel else { throw BenchError.closed }
    return try await channel.call(method, request, CallOptions(timeout: .seconds(20)))
  }
}

extension [V1.TranscriptEvent] {
  /// Returns the final utterances of an attendee, in the order in which they arrived.
  func finals(by attendee: String) -> [String] {
    flatMap { event -> [V1.TranscriptResult] in
      if case .transcript(let transcript) = event.event { transcript.results } else { [] }
    }.compactMap { result in
      guard !result.isPartial, let best = result.alternatives.first,
        best.items.first?.attendee?.attendeeID == attendee
      else { return nil }
      return best.transcript
    }
  }
}
