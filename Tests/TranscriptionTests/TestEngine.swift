import Bus
import MeetingModel
import TestSupport
import Trials
import Wire
import ZeroMQ

/// A result that an engine sends when a stream has reached a certain length.
struct ScriptedResult: Sendable {
  /// The length of the received stream at which the engine sends the result, in milliseconds.
  let after: UInt64
  let utterance: UInt64
  let text: String
  var isFinal = false
}

/// An engine that sends scripted results for each stream, whatever audio the engine receives.
///
/// A final result covers the time from the end of the previous final result up to the length at
/// which the engine sends the new result.
actor TestEngine {
  /// An event in the engine's stream.
  enum Heard: Sendable, Hashable {
    case attached(reportSeconds: UInt32)
    case started(String, language: String)
    case audio(String, first: UInt64, samples: Int, isEnd: Bool)
    case ended(String, isDiscarded: Bool)
    case end(Status?)
  }

  nonisolated let id: String
  nonisolated let heard = AwaitableEntryList<Heard>()
  private let thread: SocketThread
  private var channel: RequestChannel?
  private var handle: StreamCallHandle?
  private var alive: TimerID?
  private let script: [ScriptedResult]
  private var progress: [String: (said: Int, utteranceStart: UInt64)] = [:]

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  init(_ id: String, _ script: [ScriptedResult] = []) {
    self.id = id
    self.script = script
    thread = SocketThread(name: id)
  }

  func open(_ endpoint: Endpoint) throws {
    channel = try RequestChannel(to: endpoint, in: try ZMQContext(), on: thread)
  }

  /// Attaches the engine and waits for the answer.
  func attach(
    languages: [String] = ["en-US"], maxStreams: UInt32 = 10, credit: UInt32 = 100
  ) async throws {
    let capabilities = V1.EngineCapabilities(
      name: "script", languages: languages.map { V1.EngineLanguage(languageCode: $0) },
      hasPartials: true, maxStreams: maxStreams)
    begin(V1.AttachEngineRequest(engineID: id, capabilities: capabilities, credit: credit))
    try await heard.wait(for: "the attachment") { heard in
      heard.contains { if case .attached = $0 { true } else { false } }
    }
  }

  func begin(_ request: V1.AttachEngineRequest) {
    handle = channel?.openRaw(
      V1.TranscriptionEngineMethods.attach, request, .init(),
      onItem: { [unowned self] item, raw in take(item, raw) },
      onEnd: { [unowned self] in heard.append(.end($0)) })
  }

  /// Detaches as a stopping engine does.
  func detach() {
    if let handle { channel?.cancel(handle) }
  }

  /// Sends a report without results. Engines send such reports while they are idle.
  private func sayAlive() {
    if let alive { thread.cancel(alive) }
    alive = thread.schedule(after: .milliseconds(500)) { [unowned self] in
      assumeIsolated { engine in
        engine.channel?.call(
          V1.TranscriptionEngineMethods.report, V1.ReportResultsRequest(engineID: engine.id),
          .init()
        ) { _ in }
        engine.sayAlive()
      }
    }
  }

  func close() {
    if let alive { thread.cancel(alive) }
    alive = nil
    channel?.close()
    channel = nil
    thread.stop()
  }

  func report(_ request: V1.ReportResultsRequest) async throws(Status) -> UInt32 {
    let outcome: Result<V1.ReportResultsReply, Status> = await withCheckedContinuation { waiter in
      guard let channel else {
        return waiter.resume(returning: .failure(Status(.cancelled, "Closed.")))
      }
      channel.call(
        V1.TranscriptionEngineMethods.report, request, CallOptions(timeout: .seconds(50))
      ) {
        waiter.resume(returning: $0)
      }
    }
    return try outcome.get().droppedResults
  }

  private func take(_ item: V1.EngineItem, _ raw: [MessageFrame]) {
    switch item.item {
    case .attached(let attached):
      heard.append(.attached(reportSeconds: attached.reportSeconds))
      sayAlive()
    case .streamStarted(let started):
      heard.append(.started(started.streamID, language: started.languageCode))
    case .audio(let audio):
      heard.append(
        .audio(
          audio.streamID, first: audio.firstSample, samples: raw.reduce(0) { $0 + $1.count / 2 },
          isEnd: audio.isEndOfUtterance))
      say(audio)
    case .streamEnded(let ended):
      heard.append(.ended(ended.streamID, isDiscarded: ended.isDiscarded))
    case nil:
      break
    }
  }

  /// Sends the scripted results for the audio received so far.
  private func say(_ audio: V1.EngineAudio) {
    let through = audio.firstSample + UInt64(audio.samples)
    var (said, start) = progress[audio.streamID] ?? (0, 0)
    var results: [V1.EngineResult] = []
    while said < script.count, script[said].after * 16 <= through {
      let line = script[said]
      let words = line.text.split(separator: " ").map {
        V1.EngineWord(content: String($0), startSample: start, endSample: line.after * 16)
      }
      results.append(
        V1.EngineResult(
          streamID: audio.streamID, utterance: line.utterance, isFinal: line.isFinal,
          startSample: start, endSample: line.after * 16,
          alternatives: [V1.EngineAlternative(words: words)]))
      if line.isFinal { start = line.after * 16 }
      said += 1
    }
    progress[audio.streamID] = (said, start)
    let report = V1.ReportResultsRequest(
      engineID: id, results: results,
      progress: [V1.EngineProgress(streamID: audio.streamID, throughSample: through)], credit: 1)
    channel?.call(V1.TranscriptionEngineMethods.report, report, .init()) { _ in }
  }
}
