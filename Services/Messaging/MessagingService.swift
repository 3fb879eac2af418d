import Bus
import Foundation
import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Storage
import Wire
import ZeroMQ

/// The rim of messaging: requests in, the decision of ``MessageLogs``, the disk, events and answers
/// out.
///
/// It lives on its own ``SocketThread`` and decides there inline. What must be durable gathers
/// while the store is busy and goes to it as one batch: one transaction and one fsync(2) for all
/// that wait. Behind the commit its messages are published, in order, and everybody is answered.
actor MessagingService {
  let configuration: MessagingConfiguration
  let metrics: MessagingMetrics
  let logger: Logger
  private let store: MessagesStore
  private let registry: any Registry
  private let context: Context
  private let thread: SocketThread

  var logs: MessageLogs
  private(set) var term: UInt64 = 0
  private var clock: SteadyClock
  private var server: RequestServer?
  private var publisher: EventPublisher?
  private var streams: [MeetingID: EventStream] = [:]

  private var waiting: [WaitingAnswer] = []
  private var storing: Storing = .working
  private var lastFailure: ContinuousClock.Instant?

  /// An answer that waits for the disk.
  private struct WaitingAnswer {
    let answer: () -> Void
    let refuse: (Status) -> Void
  }

  /// What the task that stores is about.
  private enum Storing {
    case working
    case idle(CheckedContinuation<Void, Never>)
    /// Nothing more will come: it ends when there is nothing left to store.
    case finishing
    /// It has ended.
    case over
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Opens nothing yet: ``run()`` does.
  ///
  /// - Parameter thread: Its own; it stops with the service.
  init(
    _ configuration: MessagingConfiguration, store: MessagesStore, registry: any Registry,
    in context: Context, on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.store = store
    self.registry = registry
    self.context = context
    self.thread = thread
    self.metrics = MessagingMetrics(in: metrics)
    self.logger = logger
    clock = SteadyClock(showing: 0, at: .now)
    logs = MessageLogs(rules: configuration.rules, at: 0)
  }

  isolated deinit { assert(server == nil, "Let the service's run end before releasing it.") }

  /// Milliseconds since 1970-01-01T00:00:00Z.
  var now: UInt64 { clock.time(at: thread.now) }

  // MARK: Opening and closing

  private func open(term: UInt64, _ stored: StoredLogs) throws(ZeroMQError) {
    self.term = term
    // Where the time of day was set back meanwhile, time goes on from what was stored.
    let lastStored = stored.logs.values.map(\.state.touchedAt).max() ?? 0
    let timeOfDay = UInt64(Date().timeIntervalSince1970 * 1_000)
    clock = SteadyClock(showing: max(timeOfDay, lastStored), at: .now)
    logs = MessageLogs(rules: configuration.rules, restoring: stored, at: now)
    logs.prune(at: now)
    let publisher = try EventPublisher(
      at: configuration.events, instance: configuration.instance, term: term, in: context,
      on: thread)
    publisher.observer = metrics.subscriptions
    self.publisher = publisher
    for (meeting, log) in logs.all {
      beginStream(of: meeting, epoch: log.state.epoch, after: log.storedSequence)
    }
    let server = try RequestServer(at: [configuration.requests], in: context, on: thread)
    server.observer = metrics.requests
    server.serve(messaging: self)
    self.server = server
    logger.notice(
      "Serving messaging",
      metadata: [
        LogKey.endpoint: "\(configuration.requests)", LogKey.term: "\(term)",
        LogKey.count: "\(stored.logs.count)",
      ])
  }

  private func close() {
    server?.close()
    server = nil
    publisher?.close()
    publisher = nil
    streams = [:]
  }

  /// Refuses new requests, answers those that wait, and lets the last batch reach the disk.
  private func drain() async {
    await server?.drain()
    if case .over = storing { return }
    let wasIdle = storing
    storing = .finishing
    if case .idle(let continuation) = wasIdle { continuation.resume() }
  }

  // MARK: Health

  /// Throws unless the socket thread turns over and serves.
  func checkIsServing() throws {
    guard server != nil else { throw Status(.unavailable, "Messaging is not serving yet.") }
  }

  /// Throws unless the store can be written to, and while a failed write is fresh.
  func checkStorage() async throws {
    if let lastFailure, ContinuousClock.now - lastFailure < Self.failureMemory {
      throw Status(.unavailable, "The message store has just failed to write; see the log.")
    }
    try await store.check()
  }

  private static let failureMemory = Duration.seconds(10)

  // MARK: Storing

  /// Whether one more request may wait for the disk.
  ///
  /// - Throws: ``MessagingError/overloaded``.
  func requireRoom() throws(MessagingError) {
    guard waiting.count < configuration.maxWaiting else { throw .overloaded }
  }

  /// Answers a call when all that was decided so far is stored.
  func whenStored<Reply>(_ call: Call<Reply>, _ answer: @escaping () throws -> Reply) {
    if case .over = storing { return call.fail(MessagingError.storeFailed.status) }
    waiting.append(
      WaitingAnswer {
        call.answer(Result(catching: answer).mapError { Status(describing: $0) })
      } refuse: {
        call.fail($0)
      })
    wakeStoring()
  }

  private func wakeStoring() {
    guard case .idle(let continuation) = storing else { return }
    storing = .working
    // It goes on when this turn of the thread is done, with all that has come by then.
    continuation.resume()
  }

  /// Stores what has gathered, batch after batch, until drained.
  ///
  /// - Throws: What leaves the store and the logs here at odds; a restart reads the store again.
  private func keepStoring() async throws(StorageError) {
    defer { storing = .over }
    while true {
      let answers = waiting
      waiting = []
      if let batch = logs.takeBatch() {
        guard try await !store(batch, for: answers) else { continue }
        if case .finishing = storing { return }
        await restUntilWoken()
      } else if !answers.isEmpty {
        for answer in answers { answer.answer() }
      } else if case .finishing = storing {
        return
      } else {
        await restUntilWoken()
      }
    }
  }

  /// Waits for something to store, unless it is there.
  ///
  /// A call of one's own actor may suspend, and a request or the end come in between: what they have
  /// said is looked at where nothing can.
  private func restUntilWoken() async {
    await withCheckedContinuation { continuation in
      if case .finishing = storing { return continuation.resume() }
      guard waiting.isEmpty else { return continuation.resume() }
      storing = .idle(continuation)
    }
  }

  /// - Returns: Whether the batch is stored. If not, those who waited were told so.
  private func store(
    _ batch: MessagesBatch, for answers: [WaitingAnswer]
  ) async throws(StorageError) -> Bool {
    let start = ContinuousClock.now
    do {
      try await store.commit(batch)
      metrics.countCommit(of: batch, after: .now - start)
      logs.confirm()
      publish(batch)
      for answer in answers { answer.answer() }
      return true
    } catch {
      metrics.countFailedCommit(after: .now - start)
      lastFailure = .now
      logs.rollBack()
      let refused = answers + waiting
      waiting = []
      for answer in refused {
        metrics.countRefusal(MessagingError.storeFailed)
        answer.refuse(MessagingError.storeFailed.status)
      }
      logger.error(
        "Could not store messages",
        metadata: [LogKey.error: "\(error)", LogKey.count: "\(refused.count)"])
      guard case .unavailable = error else { throw error }
      return false
    }
  }

  // MARK: Streams

  private func publish(_ batch: MessagesBatch) {
    for meeting in batch.forgotten.union(batch.ended.keys) {
      streams[meeting] = nil
      publisher?.endStream(of: meeting)
    }
    for (meeting, change) in batch.changes {
      // The meeting may have ended since.
      guard logs.epoch(of: meeting) == change.state.epoch else { continue }
      if streams[meeting] == nil {
        beginStream(of: meeting, epoch: change.state.epoch, after: change.previousSequence)
      }
      for message in change.appended {
        let sequence = streams[meeting]?.publish(
          message.event(epoch: change.state.epoch), onlyFor: message.onlyFor,
          exceptFor: message.exceptFor)
        assert(sequence == message.sequence, "An event's number is that of its message.")
      }
    }
  }

  /// Replays come from the log; the stream itself need not keep anything.
  private func beginStream(of meeting: MeetingID, epoch: UInt64, after sequence: UInt64) {
    streams[meeting] = publisher?.beginStream(
      of: meeting, name: StoredMessage.stream, topic: .messages(of: meeting), epoch: epoch,
      after: sequence, keeping: 0)
  }
}

// MARK: - Running

extension MessagingService: Service {
  /// Reads the store, registers, serves until the process is asked to stop, finishes what was
  /// accepted, and gives the name back.
  func run() async throws {
    defer { thread.stop() }
    let stored = try await store.load()
    let registration = try registry.register(
      InstanceAnnouncement(
        service: "messaging", instance: configuration.instance,
        endpoints: [
          "rpc": configuration.requests.text, "events": configuration.events.text,
        ]))
    defer {
      close()
      registration.withdraw()
    }
    try open(term: registration.term, stored)
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: thread) { try await self.keepStoring() }
      group.addTask {
        await cancelWhenGracefulShutdown { await self.beat(registration) }
        await self.drain()
      }
      try await group.waitForAll()
    }
  }

  /// Says every second that the instance lives, until cancelled. Goes through the socket thread, so
  /// that the heartbeat stops when that hangs.
  private func beat(_ registration: any Registration) async {
    repeat {
      logs.prune(at: now)
      if logs.hasChange { wakeStoring() }
      metrics.update(logs, waitingRequests: waiting.count)
      do {
        try await registration.beat()
      } catch {
        logger.warning("The registry failed", metadata: [LogKey.error: "\(error)"])
      }
    } while (try? await Task.sleep(for: .seconds(1))) != nil
  }

}
