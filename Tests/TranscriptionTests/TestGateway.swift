import Bus
import MeetingModel
import TestSupport
import Wire
import ZeroMQ

/// An event as a gateway has it.
struct SeenEvent: Sendable {
  let header: V1.EventHeader
  let events: [V1.TranscriptEvent]

  /// Statuses by their name, results by their text; partial ones with an ellipsis.
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

/// What of a gateway transcription sees: its requests, and how it follows a meeting.
actor TestGateway {
  nonisolated let seen = Journal<SeenEvent>()
  private let thread = SocketThread(name: "gateway")
  private var channel: RequestChannel?
  private var subscriber: EventSubscriber?
  private let follower = StreamFollower()

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func open(requests: Endpoint, events: Endpoint) throws {
    let context = try Context()
    channel = try RequestChannel(to: requests, in: context, on: thread)
    let subscriber = try EventSubscriber(
      to: events, instance: "transcription-a", in: context, on: thread)
    subscriber.onEvent = { [unowned self] in follower.arrive($0.header, $0.body) }
    subscriber.onBeacon = { [unowned self] in
      for position in $0.positions where position.meetingID == MeetingID.planning.text {
        follower.observe(position)
      }
    }
    self.subscriber = subscriber
    follower.onEvent = { [unowned self] header, bytes in
      guard let body = try? V1.SessionEvents(packed: bytes) else { return }
      let events = body.events.flatMap { event -> [V1.TranscriptEvent] in
        if case .transcriptEvents(let events) = event.event { events.events } else { [] }
      }
      seen.append(SeenEvent(header: header, events: events))
    }
    follower.onCatchUp = { [unowned self] in catchUp(epoch: $0, after: $1) }
    subscriber.subscribe(to: .transcripts(of: .planning))
  }

  /// Sees all events of the planning meeting from now on.
  func follow() async throws(Status) {
    let snapshot: V1.TranscriptSnapshot
    do {
      snapshot = try await self.snapshot()
    } catch  where error.code == .unavailable {
      // The connection to the instance before this one was lost only now.
      snapshot = try await self.snapshot()
    }
    follower.reset(epoch: snapshot.epoch, sequence: snapshot.sequence)
  }

  func close() {
    channel?.close()
    subscriber?.close()
    (channel, subscriber) = (nil, nil)
    thread.stop()
  }

  func call<Request, Reply>(
    _ method: UnaryMethod<Request, Reply>, _ request: Request
  ) async throws(Status) -> Reply {
    let outcome: Result<Reply, Status> = await withCheckedContinuation { waiter in
      guard let channel else {
        return waiter.resume(returning: .failure(Status(.cancelled, "Closed.")))
      }
      channel.call(method, request, .init()) { waiter.resume(returning: $0) }
    }
    return try outcome.get()
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

  /// Says what runs.
  func announce(_ transcriptions: [V1.StartTranscriptionRequest] = []) async throws(Status) {
    _ = try await call(
      V1.TranscriptionMethods.announce,
      V1.AnnounceTranscriptionRequest(
        gateway: "gateway-a", transcriptions: transcriptions, last: true, gatewayRun: 1))
  }

  func snapshot() async throws(Status) -> V1.TranscriptSnapshot {
    try await call(
      V1.TranscriptionMethods.snapshot, V1.SnapshotRequest(meetingID: MeetingID.planning.text))
  }

  /// Waits until these statuses and texts came, among others, in this order.
  @discardableResult
  func sees(_ texts: [String]) async throws -> [SeenEvent] {
    try await seen.wait(for: texts.joined(separator: ", ")) { seen in
      var wanted = texts[...]
      for text in seen.flatMap(\.texts) where text == wanted.first { wanted.removeFirst() }
      return wanted.isEmpty
    }
  }

  private func catchUp(epoch: UInt64, after sequence: UInt64) {
    let request = V1.ReplayRequest(
      meetingID: MeetingID.planning.text, epoch: epoch, afterSequence: sequence)
    channel?.call(V1.TranscriptionMethods.replay, request, .init()) { [unowned self] result in
      assumeIsolated { gateway in
        switch try? result.get().outcome {
        case .events(let events): gateway.follower.caughtUp(with: events.events)
        case .snapshot(let snapshot):
          gateway.follower.reset(epoch: snapshot.epoch, sequence: snapshot.sequence, tick: 0)
        case nil: gateway.follower.catchUpFailed()
        }
      }
    }
  }
}
