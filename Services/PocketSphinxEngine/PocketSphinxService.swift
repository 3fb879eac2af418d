import Bus
import Logging
import MeetingModel
import ServiceHost
import ServiceLifecycle
import Wire
import ZeroMQ

/// The service of the engine. It attaches to every live instance of `transcription`, passes speech
/// to the workers, and reports the workers' results.
actor PocketSphinxService {
  private let configuration: PocketSphinxConfiguration
  private let registry: any Registry
  private let context: ZMQContext
  private let thread: SocketThread
  private let metrics: PocketSphinxMetrics
  private let logger: Logger
  private let workers: [DecodingThread]
  private var attachments: [String: (endpoint: Endpoint, attachment: EngineAttachment)] = [:]
  private var lastID: UInt64 = 0

  /// For each stream, the index of the worker that decodes the stream.
  private var places: [StreamKey: Int] = [:]
  private var isServing = false

  private struct StreamKey: Hashable {
    let stream: String
    let attachment: TranscriptionAttachmentID
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe thread.asUnownedSerialExecutor()
  }

  /// Creates the service. Only ``run()`` opens sockets.
  ///
  /// - Parameter thread: A thread that only this service uses. The thread stops with the service.
  init(
    _ configuration: PocketSphinxConfiguration, registry: any Registry, in context: ZMQContext,
    on thread: SocketThread, metrics: MetricsRegistry, logger: Logger
  ) {
    self.configuration = configuration
    self.registry = registry
    self.context = context
    self.thread = thread
    self.metrics = PocketSphinxMetrics(in: metrics)
    self.logger = logger
    // The number of threads bounds the processor time; `mostStreams` bounds each thread's memory.
    let most = configuration.maxStreams
    workers = (0..<configuration.threads).map {
      DecodingThread(number: $0, configuration.model, mostStreams: most)
    }
  }

  isolated deinit { assert(attachments.isEmpty, "Let the run end before releasing it.") }

  /// Throws unless the socket thread responds and the service runs.
  func checkIsServing() throws {
    guard isServing else {
      throw Status(.unavailable, "The engine has not started yet; try again.")
    }
  }

  // MARK: Attaching

  private var request: V1.AttachEngineRequest {
    let capabilities = V1.EngineCapabilities(
      name: "pocketsphinx", version: "5prealpha",
      languages: [V1.EngineLanguage(languageCode: configuration.language)], hasPartials: true,
      maxStreams: UInt32(configuration.maxStreams))
    return V1.AttachEngineRequest(
      engineID: configuration.instance, capabilities: capabilities,
      credit: UInt32(configuration.maxStreams * PocketSphinxConfiguration.creditPerStream))
  }

  /// Reads the live instances of `transcription` from the registry, and attaches to new instances.
  private func refresh() throws {
    let live = try registry.instances(of: "transcription").filter(\.isLive)
    for record in live {
      // An instance that this host cannot reach must not prevent attachments to other instances.
      guard let endpoint = try? record.endpoint("engines"),
        attachments[record.instance]?.endpoint != endpoint
      else { continue }
      attachments.removeValue(forKey: record.instance)?.attachment.close()
      attachments[record.instance] = (endpoint, try attach(to: endpoint))
      logger.notice("Attaching", metadata: [LogMetadataKey.endpoint: "\(endpoint)"])
    }
    metrics.attachments.set(attachments.values.count { $0.attachment.isAttached })
  }

  private func attach(to endpoint: Endpoint) throws -> EngineAttachment {
    let attachment = try EngineAttachment(
      request, to: endpoint, in: context, on: thread,
      nextID: { [unowned self] in assumeIsolated { $0.nextID() } })
    attachment.onItem = { [unowned self] item, raw, id in
      assumeIsolated { $0.take(item, raw, id) }
    }
    attachment.onLoss = { [unowned self, logger] id, status in
      if let status {
        logger.info(
          "Attachment ended; attaching again",
          metadata: [LogMetadataKey.endpoint: "\(endpoint)", LogMetadataKey.error: "\(status)"])
      }
      assumeIsolated { $0.forget(id) }
    }
    attachment.onOversizedResults = { [logger] count in
      logger.error(
        "Results were too large for a report; their utterances are lost",
        metadata: [LogMetadataKey.endpoint: "\(endpoint)", LogMetadataKey.count: "\(count)"])
    }
    return attachment
  }

  private func nextID() -> TranscriptionAttachmentID {
    lastID += 1
    return TranscriptionAttachmentID(number: lastID)
  }

  // MARK: Work

  private func take(_ item: V1.EngineItem, _ raw: [MessageFrame], _ id: TranscriptionAttachmentID) {
    switch item.item {
    case .streamStarted(let started):
      let place = StreamKey(stream: started.streamID, attachment: id)
      let loads = workers.indices.map { worker in places.values.count { $0 == worker } }
      let worker = workers.indices.min { loads[$0] < loads[$1] } ?? 0
      places[place] = worker
      workers[worker].put(.start(started, id))
    case .audio(let audio):
      let worker = places[StreamKey(stream: audio.streamID, attachment: id)] ?? 0
      workers[worker].put(.hear(audio, raw.first?.pcm ?? [], id))
    case .streamEnded(let ended):
      let place = StreamKey(stream: ended.streamID, attachment: id)
      guard let worker = places.removeValue(forKey: place) else { return }
      workers[worker].put(.end(ended, id))
    case .attached, nil:
      break
    }
  }

  private func forget(_ id: TranscriptionAttachmentID) {
    places = places.filter { $0.key.attachment != id }
    for worker in workers { worker.put(.forget(id)) }
  }

  private func report(_ outcome: RecognitionOutcome) {
    metrics.pieces.increment(by: UInt64(outcome.credit))
    metrics.results.increment(by: UInt64(outcome.results.count))
    metrics.failures.increment(by: UInt64(outcome.failures.count))
    for (_, attachment) in attachments.values { attachment.report(outcome) }
  }
}

// MARK: - Running

extension PocketSphinxService: Service {
  /// Runs the engine until the host stops the process.
  func run() async throws {
    defer {
      for (_, attachment) in attachments.values { attachment.close() }
      attachments = [:]
      thread.stop()
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in workers {
        group.addTask { [unowned self] in
          try await worker.run { outcome in await self.report(outcome) }
        }
      }
      group.addTask { [self] in
        await cancelWhenGracefulShutdown { [self] in await beat() }
        for worker in workers { worker.close() }
      }
      try await group.waitForAll()
    }
  }

  private func beat() async {
    isServing = true
    repeat {
      do {
        try refresh()
      } catch {
        logger.warning("The registry failed", metadata: [LogMetadataKey.error: "\(error)"])
      }
    } while (try? await Task.sleep(for: .seconds(1))) != nil
    isServing = false
  }
}

extension MessageFrame {
  /// The samples of the frame, with 16 bits each in little-endian order. Ignores an odd last byte.
  var pcm: [Int16] {
    let bytes = self.bytes
    return (0..<bytes.count / 2).map { index in
      Int16(bitPattern: UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8)
    }
  }
}
