import ZeroMQ

/// A worker and the thread it decodes on.
struct DecodingThread: Sendable {
  private let thread: SocketThread
  private let jobs: AsyncStream<DecodingJob>
  private let mailbox: AsyncStream<DecodingJob>.Continuation
  private let model: SpeechModel
  private let mostStreams: Int

  /// Credit keeps what waits far below.
  private static let mostWaiting = 10_000

  init(number: Int, _ model: SpeechModel, mostStreams: Int) {
    thread = SocketThread(name: "decode-\(number)")
    (self.model, self.mostStreams) = (model, mostStreams)
    (jobs, mailbox) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.mostWaiting))
  }

  /// Queues a job behind those that wait.
  func put(_ job: DecodingJob) { mailbox.yield(job) }

  /// Works until cancelled or closed.
  ///
  /// - Parameter tell: Gets what came of it, in order.
  /// - Throws: ``PocketSphinxError`` if the model does not load.
  @concurrent func run(telling tell: @Sendable (DecodingOutcome) async -> Void) async throws {
    defer { thread.stop() }
    // Decoding blocks: it must not take a thread from the pool.
    try await withTaskExecutorPreference(thread) {
      var worker = try DecodingWorker(model, mostStreams: mostStreams)
      for await job in jobs {
        if let outcome = worker.perform(job) { await tell(outcome) }
      }
    }
  }

  func close() { mailbox.finish() }
}
