import LongComputation
import MeetingModel
import OwnerTestSupport
import TestSupport
import Testing
import Wire

@testable import Transcription

/// Random acts of talkers, engines and operators, from a seed. Engines attach and detach, and send
/// valid and invalid results.
struct TranscriptionSimulation {
  private var generator: SeededGenerator
  private var core: Transcriptions
  private let rules = TranscriptionRules(maxBacklog: .seconds(3), mediaCredit: 64)
  private var instant = ContinuousClock.now
  private var milliseconds = epoch
  private var engines: [EngineAttachmentID] = []
  private var credit: [EngineAttachmentID: Int] = [:]
  private var heard:
    [SpeechStreamID: (engine: EngineAttachmentID, through: UInt64, utterance: UInt64)] =
      [:]
  private var seen: [String: TranscriptResult] = [:]
  private var statuses: [TranscriptionStatusType] = []
  private var spoken: [ParticipantID: UInt64] = [:]
  private var number = 0

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    core = Transcriptions(
      rules, instance: "transcription-a", seed: "x",
      at: ClockReading(instant: instant, milliseconds: epoch))
  }

  private var now: ClockReading { ClockReading(instant: instant, milliseconds: milliseconds) }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      try step()
      pass(.milliseconds(.random(in: 0...400, using: &generator)))
      check()
    }
    _ = core.stop(.planning, revision: 0, at: now)
    check()
    #expect(core.snapshot(of: .planning)?.open == [])
    // Every shown result has reached its final form.
    #expect(seen.values.allSatisfy { !$0.isPartial })
  }

  private mutating func pass(_ duration: Duration) {
    instant += duration
    milliseconds += UInt64(duration / .milliseconds(1))
    core.advance(to: now)
  }

  private mutating func step() throws {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0: try attach()
    case 1 where !engines.isEmpty: core.detach(engines.remove(at: anyIndex), at: now)
    case 2: try start()
    case 3 where Bool.random(using: &generator): _ = core.stop(.planning, revision: 0, at: now)
    case 4: core.speechBroke(in: .planning, at: now)
    case 5: try choose()
    case 6...12: speak()
    default: try report()
    }
  }

  private var anyIndex: Int {
    mutating get { Int.random(in: engines.indices, using: &generator) }
  }

  private mutating func attach() throws {
    guard engines.count < 4 else { return }
    number += 1
    let language = Bool.random(using: &generator) ? "en-US" : "de-DE"
    let capabilities = V1.EngineCapabilities(
      name: "test", languages: [V1.EngineLanguage(languageCode: language)],
      maxStreams: .random(in: 1...3, using: &generator))
    let granted = Int.random(in: 1...30, using: &generator)
    let token = try core.attach(
      EngineDescription(
        V1.AttachEngineRequest(engineID: "engine-\(number)", capabilities: capabilities)),
      credit: granted, at: now)
    engines.append(token)
    credit[token] = granted
  }

  private mutating func start() throws {
    let phrases = Bool.random(using: &generator) ? ["a"] : []
    _ = try core.start(
      .planning,
      TranscriptionSettings(V1.TranscriptionConfiguration(languageCode: "en-US", phrases: phrases)),
      revision: 0, startedAtMs: 1, at: now)
  }

  private mutating func choose() throws {
    let languages = [nil, LanguageCode.english, .german]
    try core.set(
      LanguageChoices.Choice(
        session: nil,
        participant: ParticipantIdentity.number(.random(in: 0..<5, using: &generator)).id,
        spoken: languages[Int.random(in: 0..<3, using: &generator)]), in: .planning, at: now)
  }

  private mutating func speak() {
    let speaker = ParticipantIdentity.number(.random(in: 0..<5, using: &generator))
    let isSound = Int.random(in: 0..<4, using: &generator) > 0
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let start = max(spoken[speaker.id] ?? 0, milliseconds)
      spoken[speaker.id] = start + 100
      let samples = isSound ? sound(milliseconds: 100) : silence(milliseconds: 100)
      core.take(
        [
          Transcriptions.Chunk(
            speaker: speaker, start: start, samples: samples,
            lost: Int.random(in: 0..<20, using: &generator) == 0 ? 200 : 0,
            isLast: Int.random(in: 0..<15, using: &generator) == 0)
        ], in: .planning, at: now)
    }
  }

  private mutating func report() throws {
    guard !engines.isEmpty else { return }
    let token = engines[anyIndex]
    collect()
    var report = TranscriptionEngineReport()
    for (stream, state) in heard.sorted(by: { $0.key.text < $1.key.text })
    where state.engine == token && state.through > 0 {
      // Sometimes an engine sends an impossible result.
      let end = UInt64.random(in: 0...state.through + 2_000, using: &generator)
      let start = UInt64.random(in: 0...end, using: &generator)
      let isFinal = Bool.random(using: &generator)
      var result = EngineResult(
        utterance: state.utterance, isFinal: isFinal, start: start, end: end, alternatives: [])
      if !isFinal || Int.random(in: 0..<4, using: &generator) > 0 {
        let word = EngineWord(
          content: "w\(Int.random(in: 0..<100, using: &generator))", start: start, end: end)
        result.alternatives = [EngineAlternative(words: [word])]
      }
      report.results.append((stream, result))
      if isFinal { heard[stream]?.utterance += 1 }
      report.progress.append((stream, end))
      if Int.random(in: 0..<12, using: &generator) == 0 { report.failures.append(stream) }
    }
    report.credit = .random(in: 0...20, using: &generator)
    credit[token, default: 0] = min(credit[token, default: 0] + report.credit, 500)
    guard core.engines[token] != nil else { return }
    _ = try core.take(report, from: token, at: now)
  }

  // MARK: Invariants

  private mutating func collect() {
    for effect in core.takeEffects() {
      switch effect {
      case .publish(_, let event, _): see(event)
      case .send(let token, let item): take(item, token)
      case .detach(let token, _): engines.removeAll { $0 == token }
      case .follow, .unfollow, .grant, .noteRejection, .forget: break
      }
    }
  }

  private mutating func see(_ event: TranscriptEvent) {
    switch event {
    case .status(let status): see(status.type)
    case .results(let results): for result in results { see(result) }
    }
  }

  private mutating func see(_ status: TranscriptionStatusType) {
    if status == .resumed { #expect(statuses.last == .interrupted) }
    if status == .interrupted { #expect([.started, .resumed].contains(statuses.last)) }
    if status == .stopped { #expect(statuses.last != .stopped) }
    statuses.append(status)
  }

  private mutating func see(_ result: TranscriptResult) {
    if let before = seen[result.resultID] {
      #expect(before.isPartial, "Nothing comes after the final result.")
      #expect(result.revision == before.revision + 1)
      #expect(result.channelID == before.channelID)
    } else {
      #expect(result.revision == 1)
    }
    #expect(result.startMs <= result.endMs)
    seen[result.resultID] = result
  }

  private mutating func take(_ item: EngineInput, _ token: EngineAttachmentID) {
    switch item {
    case .streamStarted(let start):
      heard[start.stream] = (token, 0, 1)
    case .audio(let audio):
      credit[token, default: 0] -= 1
      #expect(credit[token, default: 0] >= 0, "Speech costs credit.")
      #expect(heard[audio.stream]?.engine == token)
      #expect(
        audio.firstSample >= heard[audio.stream]?.through ?? 0, "Speech comes once, in order.")
      heard[audio.stream]?.through = audio.firstSample + UInt64(audio.samples.count)
    case .streamEnded(let stream, _):
      heard[stream]?.through = 0
    case .attached:
      break
    }
  }

  private mutating func check() {
    collect()
    for engine in core.engines.values {
      #expect(engine.streams.count <= engine.description.maxStreams)
      #expect(engine.streams.allSatisfy { core.streams[$0]?.engine == engine.token })
    }
    for talker in core.meetings.values.flatMap(\.talkers.values) {
      let waiting = talker.waiting.reduce(0) { $0 + $1.piece.samples.count }
      #expect(waiting <= 2 * 3 * 16_000 + 32_000, "What waits is bounded.")
      let places = talker.waiting.map(\.piece.first)
      #expect(places == places.sorted())
      if let place = talker.place { #expect(core.engines[place.engine] != nil) }
    }
  }
}

@Suite(.longComputation, .serialized) struct TranscriptionPropertyTests {
  @Test(arguments: 0..<40 as Range<UInt64>)
  func `after random sequences of events, each result has ended once and queues are bounded`(
    seed: UInt64
  )
    throws
  {
    var simulation = TranscriptionSimulation(seed: seed)
    try simulation.run(steps: 150)
  }
}
