import MeetingModel
import OwnerTestSupport
import Wire

@testable import Transcription

/// Runs ``Transcriptions`` and records its effects.
final class TranscriptionBench {
  var core: Transcriptions
  private var time = Duration.zero
  private let began = ContinuousClock.now
  private var effects: [TranscriptionEffect] = []
  private var tokens: [String: EngineAttachmentID] = [:]
  private var spoken: [ParticipantID: UInt64] = [:]
  private var seen: (statuses: Int, results: Int, granted: Int) = (0, 0, 0)

  let english = V1.TranscriptionConfiguration(languageCode: "en-US")

  init(_ rules: TranscriptionRules = TranscriptionRules()) {
    core = Transcriptions(
      rules, instance: "transcription-a", seed: "t",
      at: ClockReading(instant: began, milliseconds: epoch))
  }

  var now: ClockReading {
    ClockReading(
      instant: began + time, milliseconds: epoch + UInt64(time / .milliseconds(1)))
  }

  // MARK: Events

  /// Advances the time in steps of 100 ms.
  func wait(_ duration: Duration) {
    for _ in 0..<Int(duration / .milliseconds(100)) {
      time += .milliseconds(100)
      core.advance(to: now)
    }
  }

  /// Simulates that somebody stopped the process for some time.
  func standStill(_ duration: Duration) {
    time += duration
    core.excuseSilence(of: duration)
    core.advance(to: now)
  }

  @discardableResult
  func start(
    _ configuration: V1.TranscriptionConfiguration? = nil, revision: UInt64 = 0,
    startedAtMs: UInt64 = 1
  ) throws -> Bool {
    try core.start(
      .planning, TranscriptionSettings(configuration ?? english), revision: revision,
      startedAtMs: startedAtMs, at: now)
  }

  @discardableResult
  func stop(_ meeting: MeetingID = .planning, revision: UInt64 = 0) -> Bool {
    core.stop(meeting, revision: revision, at: now)
  }

  @discardableResult
  func attach(
    _ id: String, name: String = "test", languages: [String] = ["en-US"],
    translatesTo: [String] = [], maxStreams: UInt32 = 100, credit: Int = 500
  ) throws -> EngineAttachmentID {
    let capabilities = V1.EngineCapabilities(
      name: name,
      languages: languages.map { V1.EngineLanguage(languageCode: $0, translatesTo: translatesTo) },
      hasPartials: true, maxStreams: maxStreams)
    let token = try core.attach(
      EngineDescription(
        V1.AttachEngineRequest(engineID: id, capabilities: capabilities, credit: 1)),
      credit: credit, at: now)
    tokens[id] = token
    return token
  }

  func detach(_ id: String) {
    if let token = tokens[id] { core.detach(token, at: now) }
  }

  /// Sends speech of a speaker, and then a second of silence.
  func say(
    _ speaker: ParticipantIdentity, milliseconds: Int = 600, endsWithSilence: Bool = true
  ) {
    let samples =
      sound(milliseconds: milliseconds) + (endsWithSilence ? silence(milliseconds: 1_000) : [])
    for first in stride(from: 0, to: samples.count, by: 1_600) {
      let start = spoken[speaker.id] ?? epoch
      let chunk = Array(samples[first..<min(first + 1_600, samples.count)])
      spoken[speaker.id] = start + UInt64(chunk.count / 16)
      core.take(
        [Transcriptions.Chunk(speaker: speaker, start: start, samples: chunk)], in: .planning,
        at: now)
    }
  }

  @discardableResult
  func report(
    _ id: String, _ results: [EngineResult] = [], of stream: SpeechStreamID? = nil, credit: Int = 0
  ) throws -> Int {
    time += .milliseconds(200)
    var dropped = 0
    for result in results {
      time += .milliseconds(200)
      let heard = stream.map { (stream: $0, heard: result) }
      dropped += try take(TranscriptionEngineReport(results: heard.map { [$0] } ?? []), from: id)
    }
    return try take(TranscriptionEngineReport(credit: credit), from: id) + dropped
  }

  @discardableResult
  func take(_ report: TranscriptionEngineReport, from id: String) throws -> Int {
    guard let token = tokens[id] else { return 0 }
    return try core.take(report, from: token, at: now)
  }

  @discardableResult
  func choose(
    _ speaker: ParticipantIdentity, view: LanguageCode? = nil, spoken: LanguageCode? = nil
  ) throws -> Bool {
    try core.set(
      LanguageChoices.Choice(
        session: nil, participant: speaker.id, view: view, spoken: spoken),
      in: .planning, at: now)
  }

  // MARK: Effects

  private func collect() { effects += core.takeEffects() }

  private var events: [(TranscriptEvent, TranscriptAudience)] {
    effects.compactMap { effect in
      if case .publish(_, let event, let audience) = effect { (event, audience) } else { nil }
    }
  }

  /// Returns the statuses since the last call.
  func statuses() -> [TranscriptionStatusType] {
    collect()
    let all = events.compactMap { event, _ -> TranscriptionStatusType? in
      if case .status(let status) = event { status.type } else { nil }
    }
    defer { seen.statuses = all.count }
    return Array(all.dropFirst(seen.statuses))
  }

  var allResults: [TranscriptResult] {
    events.flatMap { event, _ -> [TranscriptResult] in
      if case .results(let results) = event { results } else { [] }
    }
  }

  /// Returns the results since the last call.
  func results() -> [TranscriptResult] {
    collect()
    let all = allResults
    defer { seen.results = all.count }
    return Array(all.dropFirst(seen.results))
  }

  /// Returns the texts of the results; partial texts end with an ellipsis. A later call of
  /// ``results()`` still returns these results.
  func texts() -> [String] {
    let before = seen.results
    defer { seen.results = max(before, allResults.count) }
    seen.results = lastTexts
    let texts = results().map { $0.text + ($0.isPartial ? "…" : "") }
    lastTexts = allResults.count
    return texts
  }

  private var lastTexts = 0

  /// Returns the audiences of the results so far.
  func audiences() -> [TranscriptAudience] {
    collect()
    return events.compactMap { event, audience in
      if case .results = event { audience } else { nil }
    }
  }

  /// The meetings whose speech the service requests.
  var follows: [MeetingID] {
    collect()
    var follows: [MeetingID] = []
    for effect in effects {
      if case .follow(let meeting) = effect { follows.append(meeting) }
      if case .unfollow(let meeting) = effect { follows.removeAll { $0 == meeting } }
    }
    return follows
  }

  var forgotten: [MeetingID] {
    collect()
    return effects.compactMap { if case .forget(let meeting) = $0 { meeting } else { nil } }
  }

  /// The reports to operators about dropped results.
  var rejections: [(engine: String, fault: ResultFault, count: Int)] {
    collect()
    return effects.compactMap { effect in
      guard case .noteRejection(let engine, let fault, let count) = effect else { return nil }
      return (engine, fault, count)
    }
  }

  var detached: [Status] {
    collect()
    return effects.compactMap { if case .detach(_, let status) = $0 { status } else { nil } }
  }

  /// Returns the number of chunks that the service granted to media since the last call.
  func granted() -> Int {
    collect()
    let all = effects.reduce(0) { sum, effect in
      if case .grant(_, let chunks) = effect { sum + Int(chunks) } else { sum }
    }
    defer { seen.granted = all }
    return all - seen.granted
  }

  private func items(at id: String) -> [EngineInput] {
    collect()
    return effects.compactMap { effect in
      guard case .send(let token, let item) = effect, token == tokens[id] else { return nil }
      return item
    }
  }

  /// Returns the current streams of an engine.
  func streams(at id: String) -> [SpeechStreamID] {
    guard let token = tokens[id], let engine = core.engines[token] else { return [] }
    return engine.streams.sorted { $0.text < $1.text }
  }

  /// Returns the start message of every stream that the service assigned to an engine.
  func allStarts(at id: String) -> [EngineStreamStart] {
    items(at: id).compactMap { if case .streamStarted(let started) = $0 { started } else { nil } }
  }

  /// Returns all streams that the service has ever assigned to an engine.
  func allStarted(at id: String) -> [SpeechStreamID] {
    allStarts(at: id).map(\.stream)
  }

  /// Returns the speech that the service sent to an engine.
  func audio(at id: String) -> [EngineAudio] {
    items(at: id).compactMap { if case .audio(let audio) = $0 { audio } else { nil } }
  }
}
