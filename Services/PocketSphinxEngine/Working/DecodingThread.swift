import ZeroMQ

/// A decoding worker, its thread and its queue of jobs.
struct DecodingThread: Sendable {
  private let thread: SocketThread
  private let jobs: AsyncStream<RecognitionJob>
  private let mailbox: AsyncStream<RecognitionJob>.Continuation
  private let model: SpeechModel
  private let mostStreams: Int

  /// The maximum number of queued jobs. Credit keeps the queue far below this limit.
  private static let mostWaiting = 10_000

  init(number: Int, _ model: SpeechModel, mostStreams: Int) {
    thread = SocketThread(name: "decode-\(number)")
    (self.model, self.mostStreams) = (model, mostStreams)
    (jobs, mailbox) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.mostWaiting))
  }

  /// Adds a job at the end of the queue.
  func put(_ job: RecognitionJob) { mailbox.yield(job) }

  /// Runs the queued jobs until the task's cancellation or a call of ``close()``.
  ///
  /// - Parameter tell: Receives the outcomes of the jobs in order.
  /// - Throws: ``PocketSphinxError`` if the model does not load.
  @concurrent func run(telling tell: @Sendable (RecognitionOutcome) async -> Void) async throws {
    defer { thread.stop() }
    // Decoding blocks the thread, so the decoder must not occupy a thread of the shared pool.
    try await withTaskExecutorPreference(thread) {
      var worker = try RecognitionWorker(model, mostStreams: mostStreams)
      for await job in jobs {
        if let outcome = worker.perform(job) { await tell(outcome) }
      }
    }
  }

  func close() { mailbox.finish() }
}
