import Bus
import Logging
import MeetingModel
import ServiceHost
import TestSupport
import Testing
import Trials
import Wire
import ZeroMQ

@testable import PocketSphinxEngine

/// The part of the `transcription` service that an engine uses.
actor TestTranscription {
  nonisolated let attached = AwaitableEntryList<V1.AttachEngineRequest>()
  nonisolated let reports = AwaitableEntryList<V1.ReportResultsRequest>()
  private let thread = SocketThread(name: "transcription")
  private var server: RequestServer?
  private var heartbeat: TimerID?
  private var stream: ServerStream<V1.EngineItem>?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func open(_ endpoint: Endpoint) throws {
    let server = try RequestServer(at: [endpoint], in: try ZMQContext(), on: thread)
    server.on(V1.TranscriptionEngineMethods.attach) { [unowned self] request, stream in
      self.stream = stream
      stream.send(V1.EngineItem(item: .attached(V1.EngineAttached(reportSeconds: 1))))
      attached.append(request)
    }
    server.on(V1.TranscriptionEngineMethods.report) { [unowned self] request, call in
      reports.append(request)
      call.reply(V1.ReportResultsReply())
    }
    self.server = server
  }

  func send(_ item: V1.EngineItem.Item, _ raw: [MessageFrame] = []) {
    stream?.send(V1.EngineItem(item: item), raw: raw)
  }

  func endStream() { stream?.end(Status(.deadlineExceeded, "Silent.")) }

  /// Sends a heartbeat, as transcription does.
  func beat(_ registration: any InstanceRegistration) {
    try? registration.heartbeat()
    heartbeat = thread.schedule(after: .milliseconds(500)) { [unowned self] in
      assumeIsolated { $0.beat(registration) }
    }
  }

  func close() {
    if let heartbeat { thread.cancel(heartbeat) }
    heartbeat = nil
    server?.close()
    server = nil
    thread.stop()
  }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct PocketSphinxServiceTests {
  private func running(
    _ body: @Sendable (TestTranscription) async throws -> Void
  ) async throws {
    try await withTemporaryDirectory { directory in
      let registry = RuntimeDirectoryRegistry(runtimeDirectory: directory)
      let endpoint = try Endpoint.ipc(directory + "/engines.sock")
      let transcription = TestTranscription()
      try await transcription.open(endpoint)
      let registration = try registry.register(
        InstanceAnnouncement(
          service: "transcription", instance: "transcription-a",
          endpoints: ["engines": endpoint.text]))
      defer { registration.withdraw() }
      await transcription.beat(registration)
      let engine = PocketSphinxService(
        PocketSphinxConfiguration(
          instance: "pocketsphinx-a",
          model: SpeechModel(directory: "/usr/share/pocketsphinx/model/en-us")),
        registry: registry, in: try ZMQContext(), on: SocketThread(name: "engine"),
        metrics: MetricsRegistry(),
        logger: Logger(label: "engine") { _ in SwiftLogNoOpLogHandler() })
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await engine.run() }
        try await transcription.attached.wait(for: "the engine") { !$0.isEmpty }
        try await body(transcription)
        group.cancelAll()
        try await group.waitForAll()
      }
      await transcription.close()
    }
  }

  @Test func `the engine attaches, decodes speech and reports results`() async throws {
    let sentence = PocketSphinxDecoderTests.sentences[0]
    let samples = try await Flite.speak(sentence)
    try await running { transcription in
      let request = try #require(transcription.attached.entries.first)
      #expect(request.capabilities?.name == "pocketsphinx")
      #expect(request.capabilities?.languages.map(\.languageCode) == ["en-US"])
      await transcription.send(
        .streamStarted(V1.EngineStreamStarted(streamID: "s", wantsPartials: true)))
      for start in stride(from: 0, to: samples.count, by: 1_600) {
        let piece = Array(samples[start..<min(start + 1_600, samples.count)])
        let audio = V1.EngineAudio(
          streamID: "s", firstSample: UInt64(start), samples: UInt32(piece.count),
          isEndOfUtterance: start + 1_600 >= samples.count)
        let bytes = piece.flatMap {
          [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
        }
        await transcription.send(.audio(audio), [MessageFrame(bytes)])
      }
      let reports = try await transcription.reports.wait(for: "the final result") { reports in
        reports.contains { $0.results.contains(where: \.isFinal) }
      }
      let results = reports.flatMap(\.results)
      #expect(results.first?.isFinal == false)
      let words = results.last?.alternatives.first?.words.map(\.content) ?? []
      #expect(wordErrorRate(words.joined(separator: " "), sentence) <= 0.3)
      let pieces = (samples.count + 1_599) / 1_600
      let all = try await transcription.reports.wait(for: "all credit") { reports in
        reports.reduce(0) { $0 + Int($1.credit) } == pieces
      }
      // The last report may have no results and only show that the engine is live.
      #expect(all.flatMap(\.progress).last?.throughSample == UInt64(samples.count))
    }
  }

  @Test func `an idle engine still sends reports and reattaches after a lost stream`() async throws
  {
    try await running { transcription in
      try await transcription.reports.wait(for: "a word of life") { $0.count >= 2 }
      await transcription.endStream()
      try await transcription.attached.wait(for: "the second attachment") { $0.count == 2 }
    }
  }

  @Test func `speech of an unknown stream is dropped, and the credit for this speech is returned`()
    async throws
  {
    try await running { transcription in
      await transcription.send(.audio(V1.EngineAudio(streamID: "none", samples: 2)), [])
      try await transcription.reports.wait(for: "the credit") { $0.contains { $0.credit == 1 } }
    }
  }
}
