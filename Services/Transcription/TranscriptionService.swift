import Bus
import Foundation
import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Wire
import ZeroMQ

/// The rim of transcription: requests, speech and engines' words in, the decision of
/// ``Transcriptions``, events, speech for engines and answers out.
///
/// It lives on its own ``SocketThread`` and decides there inline. What is known during recovery may
/// not be all that runs, so snapshots wait until it is over.
actor TranscriptionService {
  let configuration: TranscriptionConfiguration
  let metrics: TranscriptionMetrics
  private let registry: any Registry
  private let context: Context
  private let thread: SocketThread
  private let logger: Logger

  private(set) var core: Transcriptions
  private(set) var term: UInt64 = 0
  private var server: RequestServer?
  private var engineServer: RequestServer?
  private var publisher: EventPublisher?
  private var streams: [MeetingID: EventStream] = [:]
  private var epochs = EpochSource()
  private var followers: [MeetingID: SpeechFollower] = [:]
  private var timer: TimerID?
  private var isCarryingOut = false
  private let waiting = WaitingCalls()

  /// The engines' streams, and by which connection each attached.
  var attachments: [EngineToken: Attachment] = [:]
  private(set) lazy var media = ServiceLinks(
    // Of what media publishes only beacons are heard: they tell whether it is there.
    "media", topic: Topic.media(of:), handlers: .init(), in: context, on: thread
  ) { MediaClient($0) }

  struct Attachment {
    let stream: ServerStream<V1.EngineItem>
    let engine: String
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Opens nothing yet: ``run()`` does.
  ///
  /// - Parameter thread: Its own; it stops with the service.
  init(
    _ configuration: TranscriptionConfiguration, registry: any Registry, in context: Context,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.registry = registry
    self.context = context
    self.thread = thread
    self.metrics = TranscriptionMetrics(in: metrics)
    self.logger = logger
    core = Transcriptions(
      configuration.rules, instance: configuration.instance, seed: "",
      at: Moment(instant: .now, milliseconds: 0))
  }

  isolated deinit { assert(server == nil, "Let the service's run end before releasing it.") }

  /// Speech from media is a little older than that, so that its clock is the one that counts.
  var now: Moment {
    Moment(
      instant: thread.now, milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
  }

  // MARK: Opening and closing

  private func open(term: UInt64) throws {
    self.term = term
    // Ids of results must not come again after a restart.
    let seed = String(epochs.next(), radix: 36)
    core = Transcriptions(
      configuration.rules, instance: configuration.instance, seed: seed, at: now)
    let publisher = try EventPublisher(
      at: configuration.events, instance: configuration.instance, term: term, in: context,
      on: thread)
    publisher.observer = metrics.subscriptions
    self.publisher = publisher
    let server = try RequestServer(at: [configuration.requests], in: context, on: thread)
    server.observer = metrics.requests
    server.serve(transcription: self)
    self.server = server
    // What is too large is refused; only what is absurd ends the connection.
    var options = ServerOptions(maximumMessageSize: 4 << 20)
    options.limits.maximumBytes = EngineLimits.reportBytes
    let engineServer = try RequestServer(
      at: [configuration.engines], in: context, on: thread, options: options)
    engineServer.observer = metrics.engineRequests
    engineServer.serve(transcriptionEngine: self)
    self.engineServer = engineServer
    arm()
    logger.notice(
      "Serving transcription",
      metadata: [
        LogKey.endpoint: "\(configuration.requests)", LogKey.term: "\(term)",
      ])
  }

  private func close() {
    if let timer { thread.cancel(timer) }
    timer = nil
    for follower in followers.values { follower.close() }
    followers = [:]
    media.close()
    attachments = [:]
    server?.close()
    server = nil
    engineServer?.close()
    engineServer = nil
    publisher?.close()
    publisher = nil
    streams = [:]
  }

  private func drain() async {
    waiting.refuseAll()
    await server?.drain()
    await engineServer?.drain()
  }

  /// Throws unless the socket thread turns over and serves.
  func checkIsServing() throws {
    guard server != nil else {
      throw Status(.unavailable, "Transcription is not serving yet.")
    }
  }

  private func arm() {
    timer = thread.schedule(after: Self.tick) { [unowned self] in
      decide { $0.advance(to: $1) }
      arm()
    }
  }

  /// How exactly deadlines are kept.
  private static let tick = Duration.milliseconds(100)

  // MARK: Deciding

  /// Answers a call with what `body` throws, if it does; otherwise `body` has answered, or will.
  func attempt<Reply>(_ call: Call<Reply>, _ body: () throws -> Void) {
    do {
      try requireTerm(call.header.term)
      try body()
    } catch {
      call.fail(refusal(error))
    }
  }

  private func requireTerm(_ term: UInt64) throws(TranscriptionError) {
    guard term == 0 || term == self.term else { throw .staleTerm(term, current: self.term) }
  }

  /// Notes why a request is refused, and says it for its caller.
  func refusal(_ error: any Error) -> Status {
    metrics.countRefusal(error)
    let status = Status(describing: error)
    logger.info(
      "Refused a request",
      metadata: [LogKey.status: "\(status.code)", LogKey.reason: "\(status.reason)"])
    return status
  }

  /// Lets the core decide and does what it wants done, also if it refuses.
  @discardableResult
  func decide<Answer>(
    _ body: (inout Transcriptions, Moment) throws -> Answer
  ) rethrows -> Answer {
    defer { carryOut() }
    return try body(&core, now)
  }

  /// Does what is to be done until nothing is left; what is done may bring more.
  private func carryOut() {
    guard !isCarryingOut else { return }
    isCarryingOut = true
    defer { isCarryingOut = false }
    while true {
      let effects = core.takeEffects()
      guard !effects.isEmpty else { break }
      for effect in effects { carryOut(effect) }
    }
    if !core.isRecovering { settle() }
  }

  private func carryOut(_ effect: TranscriptionEffect) {
    switch effect {
    case .publish(let meeting, let events, let audience):
      for event in events { metrics.count(event) }
      publish(
        V1.SessionEvent(event: .transcriptEvents(.init(events: events))), audience, in: meeting)
    case .follow(let meeting): follow(meeting)
    case .unfollow(let meeting): followers.removeValue(forKey: meeting)?.close()
    case .grant(let meeting, let chunks): followers[meeting]?.grant(chunks)
    case .send(let token, let item, let samples): send(item, samples, to: token)
    case .detach(let token, let status):
      attachments.removeValue(forKey: token)?.stream.end(status)
    case .forget(let meeting):
      streams[meeting] = nil
      publisher?.endStream(of: meeting)
    }
  }

  private func publish(
    _ event: V1.SessionEvent, _ audience: TranscriptAudience, in meeting: MeetingID
  ) {
    let stream = stream(of: meeting)
    switch audience {
    case .everybody: stream?.publish(event)
    case .only(let readers): stream?.publish(event, onlyFor: readers)
    case .except(let others): stream?.publish(event, exceptFor: others)
    }
  }

  private func send(_ item: V1.EngineItem, _ samples: [Int16], to token: EngineToken) {
    guard let stream = attachments[token]?.stream else { return }
    let raw = samples.isEmpty ? [] : [Frame(pcm: samples)]
    guard !stream.send(item, raw: raw) else { return }
    // Its connection is gone, or it reads nothing: its credit is less than what a connection holds.
    attachments[token] = nil
    stream.end(Status(.unavailable, "The engine could not be reached; attach it again."))
    core.detach(token, at: now)
  }

  private func follow(_ meeting: MeetingID) {
    let follower = SpeechFollower(
      meeting, credit: configuration.rules.mediaCredit, of: media, on: thread)
    follower.onSpeech = { [unowned self] item, raw in
      assumeIsolated { $0.hear(item, raw, in: meeting) }
    }
    follower.onBreak = { [unowned self] in
      assumeIsolated { service in
        service.decide { $0.speechBroke(in: meeting, at: $1) }
      }
    }
    followers[meeting] = follower
    follower.open()
  }

  private func hear(_ item: V1.TalkerAudio, _ raw: [Frame], in meeting: MeetingID) {
    let (chunks, malformed) = Transcriptions.Chunk.read(item, raw)
    metrics.malformedSpeech.increment(by: UInt64(malformed))
    // What cannot be read cost a credit too.
    decide { $0.take(chunks, malformed: malformed, in: meeting, at: $1) }
  }

  // MARK: Requests that wait for recovery

  /// Answers a call with what `answer` gives, once all that runs is known.
  func whenSettled<Reply>(_ call: Call<Reply>, _ answer: @escaping () throws -> Reply) {
    let act = { [self] in
      do { call.reply(try answer()) } catch { call.fail(refusal(error)) }
    }
    guard core.isRecovering else { return act() }
    waiting.add(call, answer: act)
  }

  private func settle() {
    waiting.answerAll()
  }

  // MARK: Streams

  /// The stream of a meeting, which begins when it is first needed. `nil` when closed.
  func stream(of meeting: MeetingID) -> EventStream? {
    if let stream = streams[meeting] { return stream }
    let stream = publisher?.beginStream(
      of: meeting, name: "transcripts", topic: .transcripts(of: meeting), epoch: epochs.next(),
      keeping: configuration.replayEvents)
    streams[meeting] = stream
    return stream
  }

  /// What runs and what is being said, with the position it stands for.
  func snapshot(of meeting: MeetingID, for reader: ParticipantID? = nil) -> V1.TranscriptSnapshot {
    var snapshot = core.snapshot(of: meeting, for: reader)
    if let stream = stream(of: meeting) {
      (snapshot.epoch, snapshot.sequence) = (stream.epoch, stream.lastSequence)
    }
    return snapshot
  }
}

// MARK: - Running

extension TranscriptionService: Service {
  /// Registers, serves until the process is asked to stop, finishes what was accepted, and gives
  /// the name back.
  func run() async throws {
    defer { thread.stop() }
    let registration = try registry.register(
      InstanceAnnouncement(
        service: "transcription", instance: configuration.instance,
        endpoints: [
          "rpc": configuration.requests.text, "events": configuration.events.text,
          "engines": configuration.engines.text,
        ]))
    defer {
      close()
      registration.withdraw()
    }
    try open(term: registration.term)
    await cancelWhenGracefulShutdown { [self] in await beat(registration) }
    await drain()
  }

  /// Says every second that the instance lives, until cancelled. Goes through the socket thread, so
  /// that the heartbeat stops when that hangs.
  private func beat(_ registration: any Registration) async {
    repeat {
      metrics.update(&core)
      do {
        _ = try media.refresh(with: try await registry.liveInstances(of: "media"))
        for follower in followers.values { follower.check() }
        media.check(at: thread.now)
        try await registration.beat()
        if core.isRecovering {
          let gateways = try await registry.liveGateways()
          decide { $0.expect(gateways, at: $1) }
        }
      } catch {
        logger.warning("The registry failed", metadata: [LogKey.error: "\(error)"])
      }
    } while (try? await Task.sleep(for: .seconds(1))) != nil
  }

}
