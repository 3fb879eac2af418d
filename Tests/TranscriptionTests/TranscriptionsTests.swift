import LongComputation
import MeetingModel
import OwnerTestSupport
import Testing
import Wire

@testable import Transcription

@Suite(.longComputation) struct TranscriptionsTests {
  private let bench = TranscriptionBench()

  // MARK: Status

  @Test func `a transcription starts when an engine is attached`() throws {
    try bench.attach("one")
    #expect(try !bench.start())
    #expect(bench.statuses() == [.started])
    #expect(bench.follows == [.planning])
    #expect(bench.core.state(of: .planning)?.settings != nil)
  }

  @Test func `a repeated start changes nothing, and a different start replaces the settings`()
    throws
  {
    try bench.attach("one", languages: ["en-US", "de-DE"])
    try bench.start()
    #expect(try bench.start())
    #expect(bench.statuses() == [.started])
    var german = bench.english
    german.languageCode = "de-DE"
    #expect(try bench.start(german))
    #expect(bench.statuses() == [.started])
    #expect(bench.follows == [.planning])
  }

  @Test func `two requests to stop publish a single stopped event`() throws {
    try bench.attach("one")
    try bench.start()
    #expect(bench.stop())
    #expect(!bench.stop())
    #expect(bench.statuses() == [.started, .stopped])
    #expect(bench.follows.isEmpty)
    #expect(!bench.stop(.review))
  }

  @Test func `a start that is stopped before an engine attaches publishes no event`() throws {
    try bench.start()
    #expect(bench.stop())
    try bench.attach("late")
    bench.wait(.seconds(10))
    #expect(bench.statuses().isEmpty)
    #expect(bench.core.snapshot(of: .planning)?.status == nil)
  }

  @Test func `a start or stop with an older revision is ignored`() throws {
    try bench.attach("one")
    try bench.start(revision: 5)
    #expect(bench.stop(revision: 4))
    #expect(bench.statuses() == [.started])
    #expect(bench.stop(revision: 6))
    #expect(try !bench.start(revision: 5))
    #expect(bench.statuses() == [.stopped])
  }

  @Test
  func `a start without an engine fails after a wait, but takes effect when an engine attaches`()
    throws
  {
    try bench.start()
    #expect(bench.statuses().isEmpty)
    bench.wait(.seconds(5))
    #expect(bench.statuses() == [.failed])
    #expect(bench.core.state(of: .planning)?.settings != nil)
    try bench.attach("late")
    #expect(bench.statuses() == [.started])
  }

  @Test func `a start in a language that no engine supports fails immediately`() throws {
    try bench.attach("one")
    bench.wait(.seconds(5))
    var finnish = bench.english
    finnish.languageCode = "fi-FI"
    try bench.start(finnish)
    #expect(bench.statuses() == [.failed])
    #expect(bench.core.snapshot(of: .planning)?.status?.message.contains("fi-FI") == true)
  }

  @Test func `a transcription that is started with a named engine waits for that engine`() throws {
    try bench.attach("one", name: "whisper")
    bench.wait(.seconds(5))
    var named = bench.english
    named.engine = "pocketsphinx"
    try bench.start(named)
    #expect(bench.statuses() == [.failed])
    try bench.attach("two", name: "pocketsphinx")
    #expect(bench.statuses() == [.started])
    bench.say(.ada)
    #expect(bench.streams(at: "one").isEmpty)
    #expect(bench.streams(at: "two").count == 1)
  }

  @Test
  func `losing the engine interrupts a transcription, and a new engine resumes transcription`()
    throws
  {
    let one = try bench.attach("one")
    try bench.start()
    bench.core.detach(one, at: bench.now)
    #expect(bench.statuses() == [.started, .interrupted])
    try bench.attach("one")
    #expect(bench.statuses() == [.resumed])
    bench.detach("one")
    bench.wait(.seconds(60))
    #expect(bench.statuses() == [.interrupted, .failed])
  }

  @Test func `a transcription keeps its start time when gateways announce the transcription`()
    throws
  {
    try bench.start(startedAtMs: 7)
    #expect(bench.core.snapshot(of: .planning)?.status == nil)
    try bench.attach("one")
    #expect(bench.statuses() == [.started])
    #expect(bench.core.snapshot(of: .planning)?.status?.milliseconds == 7)
    #expect(bench.follows == [.planning])
  }

  @Test func `a transcription that is started again after a failure has a new start time`() throws {
    try bench.start(startedAtMs: 7)
    bench.wait(.seconds(6))
    #expect(bench.statuses() == [.failed])
    try bench.start(startedAtMs: 7)
    try bench.attach("one")
    #expect(bench.statuses() == [.started])
    #expect((bench.core.snapshot(of: .planning)?.status?.milliseconds ?? 0) > 7)
  }

  @Test func `a start in an ended meeting is refused`() throws {
    try bench.attach("one")
    try bench.start()
    #expect(bench.core.meetingCount == 1)
    bench.core.end(.planning, at: bench.now)
    #expect(bench.statuses() == [.started, .stopped])
    #expect(bench.core.meetingCount == 0)
    #expect(throws: TranscriptionError.meetingEnded) { try bench.start() }
    bench.wait(.seconds(60))
    #expect(bench.forgotten == [.planning])
    #expect(throws: TranscriptionError.meetingEnded) { try bench.start() }
  }

  @Test
  func `in a quick succession of a hundred starts with new phrases, every start takes effect`()
    throws
  {
    let bench = TranscriptionBench(TranscriptionRules(reportInterval: .seconds(5)))
    try bench.attach("one")
    for number in 0..<100 {
      var configuration = bench.english
      configuration.phrases = ["phrase \(number)"]
      try bench.start(configuration)
      bench.say(.ada)
    }
    #expect(bench.statuses().count == 100)
    #expect(bench.streams(at: "one").count == 1)
    bench.wait(.seconds(11))
    #expect(bench.core.streams.count == 1)
  }

  // MARK: Speech and words

  @Test func `the engine receives speech, and the recognized words are published`() throws {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    let stream = try #require(bench.streams(at: "one").first)
    try bench.report("one", [.saying("hello"), .saying("hello", isFinal: true)], of: stream)
    #expect(bench.texts() == ["hello…", "hello"])
  }

  @Test func `an engine receives the phrases, vocabularies and language model`() throws {
    try bench.attach("one")
    try bench.start(
      V1.TranscriptionConfiguration(
        languageCode: "en-US", phrases: ["Carillon", "tile board"], vocabularyNames: ["bells"],
        languageModelName: "towers"))
    bench.say(.ada)
    let start = try #require(bench.allStarts(at: "one").first)
    let started = start.configuration.wire
    #expect(started.phrases == ["Carillon", "tile board"])
    #expect(started.vocabularyNames == ["bells"])
    #expect(started.languageModelName == "towers")
  }

  @Test func `the engine receives the end of an utterance`() throws {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    #expect(bench.audio(at: "one").filter(\.isEndOfUtterance).count == 1)
    #expect(bench.audio(at: "one").first?.firstSample == 0)
  }

  @Test func `an engine receives only as much speech as its credit allows`() throws {
    try bench.attach("one", credit: 3)
    try bench.start()
    bench.say(.ada, milliseconds: 2_000)
    #expect(bench.audio(at: "one").count == 3)
    #expect(bench.core.state(of: .planning)?.talkers.first?.backlogMs ?? 0 > 1_500)
    try bench.report("one", credit: 4)
    #expect(bench.audio(at: "one").count == 7)
  }

  @Test func `the backlog is bounded, and the state shows how much speech was dropped`() throws {
    let bench = TranscriptionBench(TranscriptionRules(maxBacklog: .seconds(3)))
    try bench.attach("one", credit: 1)
    try bench.start()
    for _ in 0..<10 { bench.say(.ada, milliseconds: 2_000) }
    let talker = try #require(bench.core.state(of: .planning)?.talkers.first)
    #expect((2_500...3_300).contains(talker.backlogMs))
    #expect(talker.droppedMs > 15_000)
    try bench.report("one", credit: 100)
    // The jump in the sample numbers shows that the engine did not receive a part of the speech.
    let places = bench.audio(at: "one").map(\.firstSample)
    #expect(places == places.sorted())
    #expect((places.dropFirst().first ?? 0) > 15_000 * 16)
  }

  @Test func `media receives credit as speech is sent to the engine`() throws {
    let bench = TranscriptionBench(TranscriptionRules(mediaCredit: 40))
    try bench.attach("one", credit: 500)
    try bench.start()
    for _ in 0..<4 { bench.say(.ada, milliseconds: 1_000) }
    #expect(bench.granted() >= 30)
    bench.detach("one")
    _ = bench.granted()
    for _ in 0..<4 { bench.say(.ada, milliseconds: 1_000) }
    #expect(bench.granted() < 30)
  }

  @Test func `eight talkers share an engine with two streams`() throws {
    try bench.attach("one", maxStreams: 2, credit: 400)
    try bench.start()
    let talkers = (0..<8).map { ParticipantIdentity.number($0) }
    for _ in 0..<3 {
      for talker in talkers { bench.say(talker, milliseconds: 400) }
    }
    let heard = Set(bench.allStarted(at: "one").compactMap { bench.core.streams[$0]?.talker })
    #expect(heard == Set(talkers.map(\.id)))
    #expect(bench.core.engines.values.allSatisfy { $0.streams.count <= 2 })
  }

  @Test func `the pause of a talker frees a stream for a waiting talker`() throws {
    try bench.attach("one", maxStreams: 1)
    try bench.start()
    bench.say(.ada)
    #expect(bench.streams(at: "one").count == 1)
    bench.say(.grace)
    let stream = try #require(bench.streams(at: "one").first)
    #expect(bench.core.streams[stream]?.talker == ParticipantIdentity.grace.id)
  }

  @Test func `talkers are distributed evenly over the engines`() throws {
    try bench.attach("one", maxStreams: 4)
    try bench.attach("two", maxStreams: 4)
    try bench.start()
    for number in 0..<6 { bench.say(.number(number)) }
    #expect(bench.streams(at: "one").count == 3)
    #expect(bench.streams(at: "two").count == 3)
  }

  // MARK: Lost engines

  @Test func `if an engine is lost during an utterance, no text is lost or repeated`() throws {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    let first = try #require(bench.streams(at: "one").first)
    try bench.report("one", [.saying("done", isFinal: true)], of: first)
    bench.say(.ada)
    let begin = UInt64(800)
    try bench.report("one", [.saying("half", utterance: 2, at: begin)], of: first)
    let ids = bench.results().map(\.resultID)
    #expect(bench.texts() == ["done", "half…"])
    bench.detach("one")
    #expect(bench.statuses() == [.started, .interrupted])
    try bench.attach("two")
    #expect(bench.statuses() == [.resumed])
    let second = try #require(bench.streams(at: "two").first)
    let base = try #require(bench.core.streams[second]).base
    #expect(base >= 100 * 16)
    let place = begin - base / 16
    try bench.report("two", [.saying("half heard", at: place, isFinal: true)], of: second)
    #expect(bench.texts() == ["half heard"])
    #expect(bench.results().isEmpty)
    #expect(bench.allResults.last?.resultID == ids.last)
    #expect(bench.allResults.filter { !$0.isPartial }.map(\.text) == ["done", "half heard"])
  }

  @Test func `a second attachment of an engine replaces the first attachment`() throws {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    try bench.attach("one")
    #expect(bench.detached.count == 1)
    #expect(bench.statuses() == [.started, .interrupted, .resumed])
    #expect(bench.core.engines.count == 1)
    #expect(!bench.audio(at: "one").isEmpty)
  }

  @Test func `an engine that sends no report in time is detached`() throws {
    let bench = TranscriptionBench(TranscriptionRules(reportInterval: .seconds(5)))
    try bench.attach("one")
    try bench.start()
    bench.wait(.seconds(14))
    try bench.report("one")
    bench.wait(.seconds(14))
    #expect(bench.detached.isEmpty)
    bench.wait(.seconds(2))
    #expect(bench.detached.map(\.code) == [.deadlineExceeded])
    #expect(bench.statuses() == [.started, .interrupted])
  }

  @Test func `if an engine gives up a speech stream, the stream is assigned to another engine`()
    throws
  {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    try bench.attach("two")
    let stream = try #require(bench.streams(at: "one").first)
    try bench.take(TranscriptionEngineReport(failures: [stream]), from: "one")
    #expect(bench.streams(at: "one").isEmpty)
    #expect(bench.streams(at: "two").count == 1)
    #expect(!bench.audio(at: "two").isEmpty)
  }

  @Test func `results of streams that an engine does not have are dropped`() throws {
    try bench.attach("one")
    try bench.attach("two")
    try bench.start()
    bench.say(.ada)
    let stream = try #require(bench.streams(at: "one").first)
    #expect(try bench.report("two", [.saying("mine")], of: stream) == 1)
    #expect(try bench.report("one", [.saying("x")], of: SpeechStreamID("none")) == 1)
    #expect(bench.results().isEmpty)
    #expect(bench.core.droppedResults == [.unknownStream: 2])
  }

  @Test func `a stop of a transcription makes its partial results final`() throws {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    let stream = try #require(bench.streams(at: "one").first)
    try bench.report("one", [.saying("half")], of: stream)
    bench.stop()
    #expect(bench.texts() == ["half…", "half"])
    #expect(try bench.report("one", [.saying("half more")], of: stream) == 1)
  }

  @Test func `the stream of a talker ends after a long silence`() throws {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    for _ in 0..<7 {
      bench.wait(.seconds(5))
      try bench.report("one")
    }
    #expect(bench.streams(at: "one").isEmpty)
    bench.say(.ada)
    #expect(bench.streams(at: "one").count == 1)
  }

  @Test func `an open utterance ends when the media stream breaks`() throws {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada, endsWithSilence: false)
    #expect(bench.audio(at: "one").filter(\.isEndOfUtterance).isEmpty)
    bench.core.speechBroke(in: .planning, at: bench.now)
    #expect(bench.audio(at: "one").filter(\.isEndOfUtterance).count == 1)
  }

  // MARK: Languages

  @Test func `an engine that supports a talker's language receives the talker's speech`()
    throws
  {
    try bench.attach("one")
    try bench.attach("two", languages: ["de-DE"])
    try bench.start()
    try bench.choose(.grace, spoken: .german)
    bench.say(.ada)
    bench.say(.grace)
    let german = try #require(bench.streams(at: "two").first)
    #expect(bench.core.streams[german]?.talker == ParticipantIdentity.grace.id)
    #expect(bench.streams(at: "one").count == 1)
    try bench.report("two", [.saying("hallo", isFinal: true)], of: german)
    let results = bench.results()
    #expect(results.map { $0.language?.text } == ["de-DE"])
    try bench.choose(.grace, spoken: nil)
    #expect(bench.streams(at: "two").isEmpty)
  }

  @Test func `a viewer gets results only in the chosen language`() throws {
    try bench.attach("one", translatesTo: ["de-DE"])
    var configuration = bench.english
    configuration.translateTo = ["de-DE"]
    try bench.start(configuration)
    #expect(try bench.choose(.grace, view: .german))
    #expect(try !bench.choose(.edsger, view: .french))
    bench.say(.ada)
    let stream = try #require(bench.streams(at: "one").first)
    let translation = EngineResult.saying(
      "hallo", isFinal: true, in: .german, translatedFrom: .english)
    try bench.report("one", [.saying("hello", isFinal: true), translation], of: stream)
    #expect(
      bench.audiences() == [
        .except([ParticipantIdentity.grace.id, ParticipantIdentity.edsger.id]),
        .only([ParticipantIdentity.grace.id]),
      ])
  }

  @Test func `the snapshot shows the status and the partial results`() throws {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    let stream = try #require(bench.streams(at: "one").first)
    try bench.report("one", [.saying("half")], of: stream)
    let snapshot = try #require(bench.core.snapshot(of: .planning))
    #expect(snapshot.status?.type == .started)
    #expect(snapshot.open.map(\.text) == ["half"])
    try bench.choose(.grace, view: .german)
    #expect(bench.core.snapshot(of: .planning, for: ParticipantIdentity.grace.id)?.open == [])
    #expect(bench.core.snapshot(of: .planning, for: ParticipantIdentity.ada.id)?.open.count == 1)
  }

  // MARK: Recovery

  @Test
  func `recovery ends after a timeout, or when all gateways have announced their transcriptions`()
    throws
  {
    let (one, two) = (
      try #require(GatewayName("gateway-a")), try #require(GatewayName("gateway-b"))
    )
    #expect(bench.core.isRecovering)
    bench.core.didAnnounce(one, at: bench.now)
    bench.core.expect([one, two], at: bench.now)
    #expect(bench.core.isRecovering)
    bench.core.didAnnounce(two, at: bench.now)
    #expect(!bench.core.isRecovering)
    let other = TranscriptionBench()
    other.wait(.seconds(15))
    #expect(!other.core.isRecovering)
  }

  // MARK: Standing still

  @Test func `a stall of the process does not shorten an engine's report timeout`() throws {
    try bench.attach("one")
    try bench.start()
    bench.say(.ada)
    #expect(bench.statuses() == [.started])
    bench.standStill(.seconds(60))
    #expect(bench.core.engines.count == 1)
    #expect(bench.streams(at: "one").count == 1)
    // After the stall, the usual timeout applies to the engine.
    bench.wait(.seconds(5))
    #expect(bench.core.engines.count == 1)
    bench.wait(.seconds(2))
    #expect(bench.core.engines.isEmpty)
    #expect(bench.statuses() == [.interrupted])
  }

  @Test
  func `a stall of the process does not shorten the time for which a start waits for an engine`()
    throws
  {
    try bench.start()
    bench.wait(.seconds(3))
    bench.standStill(.seconds(60))
    bench.wait(.seconds(1))
    #expect(bench.statuses().isEmpty)
    try bench.attach("one")
    #expect(bench.statuses() == [.started])
  }

  @Test func `a stall of the process does not end recovery`() throws {
    let gateway = try #require(GatewayName("gateway-a"))
    bench.core.expect([gateway], at: bench.now)
    bench.standStill(.seconds(60))
    #expect(bench.core.isRecovering)
    bench.wait(.seconds(16))
    #expect(!bench.core.isRecovering)
  }
}
