import Bus
import Logging
import MeetingModel
import Ownership
import ServiceHost
import Wire
import ZeroMQ

/// The service `transcription`: passes requests, speech and engines' reports to ``Transcriptions``,
/// and carries out the effects.
///
/// During recovery, the service may not know all running transcriptions. So snapshots wait for the
/// end of recovery.
actor TranscriptionService: DecisionCoreService {
  let configuration: TranscriptionConfiguration
  let owner: MeetingOwner
  var core: Transcriptions
  private let thread: SocketThread
  private let metrics: TranscriptionMetrics
  private var engineServer: RequestServer?
  private var followers: [MeetingID: MediaSpeechSubscription] = [:]
  private var seeds = StreamEpochSource()

  /// The engines' streams, each with the connection that attached the engine.
  var attachments: [EngineAttachmentID: Attachment] = [:]
  private lazy var media = ServiceLinks(
    // Of the events of `media`, the service reads only the beacons, which show that `media` runs.
    "media", topic: EventTopic.media(of:),
    handlers: .init(onRefusal: { [owner] _, status in owner.noteUnreachable(status) }),
    in: owner.context, on: thread
  ) { MediaClient($0) }

  struct Attachment {
    let stream: ServerStream<V1.EngineItem>
    let engine: String
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Creates the service. ``run()`` opens the service's sockets.
  ///
  /// - Parameter thread: The thread of the service. The thread stops with the service.
  init(
    _ configuration: TranscriptionConfiguration, registry: any Registry, in context: ZMQContext,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.thread = thread
    self.metrics = TranscriptionMetrics(in: metrics)
    core = Transcriptions(
      configuration.rules, instance: configuration.instance, seed: "",
      at: ClockReading(instant: .now, milliseconds: 0))
    owner = MeetingOwner(
      configuration.place,
      streams: .init(
        MeetingStream.transcripts.name, on: EventTopic.transcripts(of:),
        keeping: configuration.replayEvents),
      registry: registry, in: context, on: thread, metrics: self.metrics.owner, logger: logger)
  }

  /// The present time.
  ///
  /// Speech is slightly older when it arrives. So the times of speech come from the clock of
  /// `media`, and not from this property.
  var moment: ClockReading { ClockReading(instant: thread.now, milliseconds: WallClock.nowMs) }

  // MARK: Opening and closing

  func open() throws {
    // Result ids must not repeat after a restart, so each start of the service has a different
    // seed.
    let seed = String(seeds.next(), radix: 36)
    core = Transcriptions(
      configuration.rules, instance: configuration.instance, seed: seed, at: moment)
    // The service answers a report above `reportBytes` with an error. Only a message above
    // `maximumMessageSize` closes the connection.
    var options = RequestServerLimits(maximumMessageSize: 4 << 20)
    options.limits.maximumBytes = EngineLimits.reportBytes
    let engines = try RequestServer(
      at: [configuration.engines], securedAt: configuration.reach.ports["engines"],
      in: owner.context, on: thread, options: options)
    engines.observer = metrics.engineRequests
    engines.serve(transcriptionEngine: self)
    engineServer = engines
    try owner.open().serve(transcription: self)
  }

  func close() {
    for follower in followers.values { follower.close() }
    followers = [:]
    media.close()
    attachments = [:]
    engineServer?.close()
    engineServer = nil
  }

  func drain() async {
    await owner.drain()
    await engineServer?.drain()
  }

  func beat() { metrics.update(&core) }

  /// Updates the connections to `media`, and the list of the gateways for which recovery waits.
  func lookAround() async throws {
    _ = try media.refresh(with: try await owner.registry.liveInstances(of: "media"))
    for follower in followers.values { follower.check() }
    media.check(at: thread.now)
    try await expectGateways()
  }

  /// Returns whether this instance may keep its lease without the registry: it receives beacons
  /// from all instances of `media`, so no other instance takes over.
  func isVouchedFor(by gateways: Set<GatewayName>) -> Bool { media.areAllHeard }

  // MARK: Effects

  func carryOut(_ effect: TranscriptionEffect) {
    switch effect {
    case .publish(let meeting, let event, let audience):
      metrics.count(event)
      publish(V1.SessionEvent(event), audience, in: meeting)
    case .follow(let meeting): follow(meeting)
    case .unfollow(let meeting): followers.removeValue(forKey: meeting)?.close()
    case .grant(let meeting, let chunks): followers[meeting]?.grant(chunks)
    case .send(let token, let item): send(item, to: token)
    case .detach(let token, let status):
      attachments.removeValue(forKey: token)?.stream.end(status)
    case .noteRejection(let engine, let fault, let count):
      owner.logger.info(
        "Dropped results of an engine",
        metadata: [
          LogMetadataKey.instance: "\(engine)", LogMetadataKey.reason: "\(fault.reason.rawValue)",
          LogMetadataKey.error: "\(fault.cause)", LogMetadataKey.count: "\(count)",
        ])
    case .forget(let meeting):
      owner.streams.end(meeting)
    }
  }

  private func publish(
    _ event: V1.SessionEvent, _ audience: TranscriptAudience, in meeting: MeetingID
  ) {
    let stream = owner.streams[meeting]
    switch audience {
    case .everybody: stream?.publish(event)
    case .only(let readers): stream?.publish(event, onlyFor: IDTexts(readers))
    case .except(let others): stream?.publish(event, exceptFor: IDTexts(others))
    }
  }

  private func send(_ item: EngineInput, to token: EngineAttachmentID) {
    guard let stream = attachments[token]?.stream else { return }
    guard !stream.send(V1.EngineItem(item), raw: item.raw) else { return }
    // The service could not send the item: the connection has closed, or the engine does not read.
    // A connection's buffer has room for all items that the credit allows.
    attachments[token] = nil
    stream.end(Status(.unavailable, "The engine could not be reached; attach it again."))
    core.detach(token, at: moment)
  }

  private func follow(_ meeting: MeetingID) {
    let follower = MediaSpeechSubscription(
      meeting, credit: configuration.rules.mediaCredit, of: media, on: thread)
    follower.onSpeech = { [unowned self] chunks, malformed in
      assumeIsolated { $0.hear(chunks, malformed, in: meeting) }
    }
    follower.onBreak = { [unowned self] in
      assumeIsolated { service in
        service.decide { $0.speechBroke(in: meeting, at: $1) }
      }
    }
    followers[meeting] = follower
    follower.open()
  }

  private func hear(_ chunks: [Transcriptions.Chunk], _ malformed: Int, in meeting: MeetingID) {
    metrics.malformedSpeech.increment(by: UInt64(malformed))
    // Malformed chunks have also used credit.
    decide { $0.take(chunks, malformed: malformed, in: meeting, at: $1) }
  }

  /// Returns the status and the open results of a meeting, with the position in the meeting's
  /// stream.
  func snapshot(of meeting: MeetingID, for reader: ParticipantID? = nil) -> V1.TranscriptSnapshot {
    var snapshot = V1.TranscriptSnapshot(core.snapshot(of: meeting, for: reader), of: meeting)
    if let stream = owner.streams[meeting] {
      (snapshot.epoch, snapshot.sequence) = (stream.epoch, stream.lastSequence)
    }
    return snapshot
  }
}
