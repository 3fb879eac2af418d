import ZeroMQ

/// A lane and the thread it decodes on.
struct LaneRunner: Sendable {
  private let thread: SocketThread
  private let work: AsyncStream<LaneWork>
  private let mailbox: AsyncStream<LaneWork>.Continuation
  private let model: SpeechModel
  private let mostStreams: Int

  /// Credit keeps what waits far below.
  private static let mostWaiting = 10_000

  init(number: Int, _ model: SpeechModel, mostStreams: Int) {
    thread = SocketThread(name: "decode-\(number)")
    (self.model, self.mostStreams) = (model, mostStreams)
    (work, mailbox) = AsyncStream.makeStream(
      bufferingPolicy: .bufferingOldest(Self.mostWaiting))
  }

  /// Has something done, behind what waits.
  func put(_ item: LaneWork) { mailbox.yield(item) }

  /// Works until cancelled or closed.
  ///
  /// - Parameter tell: Gets what came of it, in order.
  /// - Throws: ``PocketSphinxError`` if the model does not load.
  @concurrent func run(telling tell: @Sendable (LaneOutcome) async -> Void) async throws {
    defer { thread.stop() }
    // Decoding blocks: it must not take a thread from the pool.
    try await withTaskExecutorPreference(thread) {
      var lane = try Lane(model, mostStreams: mostStreams)
      for await item in work {
        if let outcome = lane.work(item) { await tell(outcome) }
      }
    }
  }

  func close() { mailbox.finish() }
}
