import Bus
import Logging
import MeetingModel
import Ownership
import ServiceHost
import Storage
import Wire
import ZeroMQ

/// The service `messaging`: applies requests to ``MessageLogs``, stores the changes, and then
/// publishes events and answers the requests.
///
/// While the store is busy, the service collects changes, and then stores them as one batch. So all
/// waiting requests share one transaction and one fsync(2). After the commit, the service publishes
/// the messages of the batch in order, and answers all waiting requests.
actor MessagingService: OwningService {
  let configuration: MessagingConfiguration
  let owner: MeetingOwner
  let metrics: MessagingMetrics
  private let thread: SocketThread
  let store: MessagesStore

  var logs: MessageLogs
  private var stored: (endings: [MeetingID: UInt64], last: UInt64) = ([:], 0)
  private var clock: MonotonicWallClock
  private var waiting: [AnswerAwaitingCommit] = []

  /// The requests that wait until the service has claimed the logs of their meetings.
  private var claims: [MeetingID: [WaitingRequest]] = [:]
  private var claimantCount = 0

  /// The meetings that this instance owns; `nil` for all.
  private(set) var ownShare: OwnedMeetings?

  /// The meetings whose logs this instance still has although other instances now own these
  /// meetings, each with the time at which the owner changed.
  private var ceded: [MeetingID: ContinuousClock.Instant] = [:]
  private var storing: Storing = .working
  private var lastFailure: ContinuousClock.Instant?

  /// A request that waits for its meeting's log.
  private struct WaitingRequest {
    let go: () -> Void
    let refuse: (Status) -> Void
  }

  /// The state of the task that stores batches.
  private enum Storing {
    case working
    case idle(CheckedContinuation<Void, Never>)
    /// The service drains. The task ends when the store has stored all changes.
    case finishing
    /// The task has ended.
    case over
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Creates the service. ``run()`` opens the service's sockets.
  ///
  /// - Parameter thread: The thread of the service. The thread stops with the service.
  init(
    _ configuration: MessagingConfiguration, store: MessagesStore, registry: any Registry,
    in context: ZMQContext, on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.thread = thread
    self.store = store
    self.metrics = MessagingMetrics(in: metrics)
    clock = MonotonicWallClock(showing: 0, at: .now)
    logs = MessageLogs(rules: configuration.rules, at: 0)
    owner = MeetingOwner(
      configuration.place,
      // The log answers requests for replays, so the stream keeps no events.
      streams: .init(StoredMessage.stream, on: EventTopic.messages(of:), keeping: 0),
      registry: registry, in: context, on: thread, metrics: self.metrics.owner, logger: logger)
  }

  /// The current time in milliseconds since 1970-01-01T00:00:00Z.
  var now: UInt64 { clock.time(at: thread.now) }

  // MARK: Opening and closing

  func prepare() async throws { stored = try await store.begin() }

  func open() throws {
    // If the system time is earlier than the last stored time, the clock continues from the stored
    // time.
    clock = MonotonicWallClock(showing: max(WallClock.nowMs, stored.last), at: .now)
    // The service claims each log when the first request for this log arrives.
    logs = MessageLogs(
      rules: configuration.rules, restoring: StoredLogs(endings: stored.endings), at: now)
    logs.prune(at: now)
    (waiting, claims, claimantCount, ceded) = ([], [:], 0, [:])
    storing = .working
    try owner.open().serve(messaging: self)
  }

  func work() async throws { try await keepStoring() }

  func beat() {
    releaseCeded()
    logs.prune(at: now)
    if logs.hasChange { wakeStoring() }
    metrics.update(logs, waitingRequests: waiting.count)
  }

  // MARK: Sharing

  var meetingCount: Int { logs.all.count - ceded.count }

  /// Updates the set of meetings that this instance owns.
  ///
  /// This instance may still have logs of meetings that other instances now own. It serves each of
  /// these logs until the new owner claims the log. After that, the store refuses changes of this
  /// instance. If a meeting returns to this instance, the instance claims the meeting's log again,
  /// because another instance may have changed the log.
  func take(_ share: OwnedMeetings) {
    ownShare = share
    for (meeting, _) in ceded where share.contains(meeting) {
      ceded[meeting] = nil
      release(meeting)
    }
    for meeting in logs.all.keys where ceded[meeting] == nil && !share.contains(meeting) {
      ceded[meeting] = thread.now
    }
  }

  private func releaseCeded() {
    for (meeting, since) in ceded where thread.now - since > Self.cededTime {
      release(meeting)
    }
  }

  /// Releases a log if the store has stored all changes of the log. Otherwise the log remains until
  /// the store has stored these changes, or until the store refuses the changes because another
  /// instance has claimed the log.
  private func release(_ meeting: MeetingID) {
    guard !logs.isUnstored(meeting) else { return }
    ceded[meeting] = nil
    logs.release(meeting, at: now)
    owner.streams.end(meeting)
  }

  /// How long the instance keeps a log after a change of the owner. Gateways detect the change in a
  /// shorter time.
  private static let cededTime = Duration.seconds(5)

  /// Returns whether a request for a meeting can proceed without waiting for its log.
  func hasLog(of meeting: MeetingID) -> Bool { logs.holds(meeting) && claims[meeting] == nil }

  /// Runs a request as soon as this instance has the log of the request's meeting.
  ///
  /// - Parameter body: The work of the request. If the work throws an error, the request fails with
  ///   this error.
  /// - Throws: ``OwnershipError/notOwner`` or ``MessagingError/overloaded``.
  func withLog<Reply>(
    of meeting: MeetingID, _ call: Call<Reply>, ifRefused: @escaping () -> Void = {},
    _ body: @escaping () throws -> Void
  ) throws {
    if hasLog(of: meeting) { return try body() }
    guard ownShare?.contains(meeting) ?? true else {
      ifRefused()
      throw OwnershipError.notOwner
    }
    do { try requireRoom() } catch {
      ifRefused()
      throw error
    }
    if case .over = storing { throw MessagingError.storeFailed }
    claimantCount += 1
    claims[meeting, default: []].append(
      WaitingRequest {
        self.attempt(call, body)
      } refuse: { status in
        ifRefused()
        call.fail(status)
      })
    wakeStoring()
  }

  /// Claims the requested logs in the store.
  private func claim() async throws(StorageError) {
    let wanted = claims.keys.map { ($0, logs.beginning(at: now)) }
    let idleSince = now - min(now, configuration.rules.idleRetentionMs)
    do {
      let claimed = try await store.claim(
        Dictionary(uniqueKeysWithValues: wanted), idleSince: idleSince)
      for (meeting, _) in wanted {
        let claimants = takeClaimants(of: meeting)
        if let log = claimed[meeting] { takeUp(log, of: meeting) }
        for claimant in claimants { claimant.go() }
      }
    } catch {
      lastFailure = .now
      for (meeting, _) in wanted {
        for claimant in takeClaimants(of: meeting) {
          owner.countRefusal(MessagingError.storeFailed)
          claimant.refuse(MessagingError.storeFailed.status)
        }
      }
      owner.logger.error("Could not read messages", metadata: [LogMetadataKey.error: "\(error)"])
      guard case .unavailable = error else { throw error }
    }
  }

  private func takeClaimants(of meeting: MeetingID) -> [WaitingRequest] {
    let claimants = claims.removeValue(forKey: meeting) ?? []
    claimantCount -= claimants.count
    return claimants
  }

  private func takeUp(_ claimed: LogClaimResult, of meeting: MeetingID) {
    logs.takeUp(claimed, of: meeting, at: now)
    guard let log = logs.all[meeting] else { return }
    owner.streams.begin(meeting, epoch: log.state.epoch, after: log.storedSequence)
    if ownShare?.contains(meeting) == false { ceded[meeting] = thread.now }
  }

  // MARK: Draining

  /// Refuses new requests, answers waiting requests, and stores the last batch.
  func drain() async {
    await owner.drain()
    if case .over = storing { return }
    let wasIdle = storing
    storing = .finishing
    if case .idle(let continuation) = wasIdle { continuation.resume() }
  }

  // MARK: Health

  /// Throws an error if the store is not writable. Also throws an error for some time after a
  /// failed write.
  func checkStorage() async throws {
    if let lastFailure, ContinuousClock.now - lastFailure < Self.failureMemory {
      throw Status(
        .unavailable, "The message store has just failed to write; see the log of the service.")
    }
    try await store.check()
  }

  private static let failureMemory = Duration.seconds(10)

  // MARK: Storing

  /// Throws an error if too many requests already wait for the disk.
  ///
  /// - Throws: ``MessagingError/overloaded``.
  func requireRoom() throws(MessagingError) {
    guard waiting.count + claimantCount < configuration.maxWaiting else { throw .overloaded }
  }

  /// Answers a call after the store has stored all present changes of the call's meeting.
  ///
  /// If the store refuses these changes, the call fails.
  func whenStored<Reply>(
    _ call: Call<Reply>, of meeting: MeetingID, _ answer: @escaping () -> Reply
  ) {
    whenStored(of: meeting, orFail: call) { call.reply(answer()) }
  }

  /// Continues a call after the store has stored all present changes of the call's meeting.
  ///
  /// If the store refuses these changes, the call fails.
  ///
  /// - Parameter goOn: Answers the call, immediately or later.
  func whenStored<Reply>(
    of meeting: MeetingID, orFail call: Call<Reply>, _ goOn: @escaping () -> Void
  ) {
    if case .over = storing { return call.fail(MessagingError.storeFailed.status) }
    whenStored(of: meeting) { status in
      if let status { call.fail(status) } else { goOn() }
    }
  }

  /// Calls `finish` after the store has stored all present changes of a meeting. If the store
  /// refuses these changes, passes a status to `finish`.
  func whenStored(of meeting: MeetingID, finish: @escaping (Status?) -> Void) {
    wait(.other(meeting, finish: finish))
  }

  /// Answers the sender of a message after the store has stored all present changes of the
  /// message's meeting.
  func answerWhenStored(_ append: SendAnswerAwaitingCommit) { wait(.append(append)) }

  private func wait(_ answer: AnswerAwaitingCommit) {
    if case .over = storing { return finish(answer, MessagingError.storeFailed.status) }
    waiting.append(answer)
    wakeStoring()
  }

  /// Sends an answer.
  ///
  /// - Parameter status: The reason for a refusal; `nil` for a confirmation.
  private func finish(_ answer: AnswerAwaitingCommit, _ status: Status? = nil) {
    switch answer {
    case .append(let append):
      guard let status else { return append.accept() }
      logs.noteRefusal(in: append.round, to: append.meeting)
      append.refuse(status)
    case .other(_, let finish): finish(status)
    }
  }

  /// Calls `goOn` after the store has accepted or refused all present changes.
  func whenStored(_ goOn: @escaping (Result<Void, Status>) -> Void) {
    // The store accepts or refuses a batch as a whole. So it does not matter for which meeting's
    // changes the callback waits, and this code passes a random meeting.
    whenStored(of: .random()) { status in
      if let status { goOn(.failure(status)) } else { goOn(.success(())) }
    }
  }

  private func wakeStoring() {
    guard case .idle(let continuation) = storing else { return }
    storing = .working
    // The task continues after this turn of the thread. By then, all requests of this turn have
    // arrived, and the task stores their changes together.
    continuation.resume()
  }

  /// Stores the collected changes, one batch after the other, until the service has drained.
  ///
  /// - Throws: An error after which the store and the logs may differ. After a restart, the service
  ///   reads the store again.
  private func keepStoring() async throws(StorageError) {
    defer { storing = .over }
    while true {
      if !claims.isEmpty { try await claim() }
      let answers = waiting
      waiting = []
      if let batch = logs.takeBatch() {
        guard try await !store(batch, for: answers) else { continue }
        if case .finishing = storing { return }
        await restUntilWoken()
      } else if !answers.isEmpty {
        for answer in answers { finish(answer) }
      } else if case .finishing = storing {
        return
      } else {
        await restUntilWoken()
      }
    }
  }

  /// Waits until there are changes to store.
  ///
  /// The check runs inside the continuation, where no other code can run. If the check ran before
  /// the continuation, a request or the drain could arrive between the check and the suspension.
  /// The task would then miss the request or the drain.
  private func restUntilWoken() async {
    await withCheckedContinuation { continuation in
      if case .finishing = storing { return continuation.resume() }
      guard waiting.isEmpty, claims.isEmpty else { return continuation.resume() }
      storing = .idle(continuation)
    }
  }

  /// Stores a batch.
  ///
  /// - Returns: Whether the store contains the batch. If the store does not contain the batch, the
  ///   method has refused the waiting requests.
  private func store(
    _ batch: MessagesBatch, for answers: [AnswerAwaitingCommit]
  ) async throws(StorageError) -> Bool {
    let start = ContinuousClock.now
    do {
      let refused = try await store.commit(batch)
      var stored = batch
      for log in refused { stored.changes[log.meeting] = nil }
      metrics.countCommit(of: stored, after: .now - start)
      logs.confirm(refusing: refused, at: now)
      publish(stored)
      let lost = Set(refused.map(\.meeting))
      for answer in answers where !lost.contains(answer.meeting) { finish(answer) }
      if !refused.isEmpty { takeUp(refused, answers) }
      return true
    } catch {
      metrics.countFailedCommit(after: .now - start)
      lastFailure = .now
      logs.rollBack()
      let refused = answers + waiting
      waiting = []
      refuse(refused)
      owner.logger.error(
        "Could not store messages",
        metadata: [LogMetadataKey.error: "\(error)", LogMetadataKey.count: "\(refused.count)"])
      guard case .unavailable = error else { throw error }
      return false
    }
  }

  /// Takes over the stored state of each log whose changes the store refused.
  ///
  /// Refuses the requests that wait for these logs. The streams of the logs restart after the last
  /// stored message.
  private func takeUp(_ refused: [RejectedLogChange], _ answers: [AnswerAwaitingCommit]) {
    let meetings = Set(refused.map(\.meeting))
    refuse((answers + waiting).filter { meetings.contains($0.meeting) })
    waiting.removeAll { meetings.contains($0.meeting) }
    for log in refused {
      owner.logger.info(
        "Another instance owns a log, or another program writes to it",
        metadata: [LogMetadataKey.meeting: "\(log.meeting)", LogMetadataKey.error: "\(log.cause)"])
      owner.streams.end(log.meeting)
      ceded[log.meeting] = nil
      guard let found = logs.all[log.meeting] else { continue }
      owner.streams.begin(log.meeting, epoch: found.state.epoch, after: found.storedSequence)
    }
  }

  private func refuse(_ answers: [AnswerAwaitingCommit]) {
    for answer in answers {
      owner.countRefusal(MessagingError.storeFailed)
      finish(answer, MessagingError.storeFailed.status)
    }
  }

  // MARK: Streams

  private func publish(_ batch: MessagesBatch) {
    for meeting in batch.forgotten.union(batch.ended.keys) {
      owner.streams.end(meeting)
    }
    for (meeting, change) in batch.changes {
      // During the write, the meeting may have ended, or the service may have created its log
      // again.
      guard logs.epoch(of: meeting) == change.state.epoch else { continue }
      let stream =
        owner.streams.existing(meeting)
        ?? owner.streams.begin(
          meeting, epoch: change.state.epoch, after: change.previousSequence)
      for message in change.appended {
        let sequence = stream?.publish(
          message.event(epoch: change.state.epoch), onlyFor: message.onlyFor,
          exceptFor: message.exceptFor)
        assert(sequence == message.sequence, "An event's number is that of its message.")
      }
    }
  }
}
