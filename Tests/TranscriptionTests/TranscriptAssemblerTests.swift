import MeetingModel
import TestSupport
import Testing
import Wire

@testable import Transcription

@Suite struct TranscriptAssemblerTests {
  private var assembler = TranscriptAssembler(prefix: "t")
  private var timeline = SpeechTimeline()
  private let stream = SpeechStreamID("s1")
  private var now = ContinuousClock.now

  init() {
    assembler.open(stream, of: .ada, in: .english)
    _ = timeline.place(start: epoch, count: 16_000 * 60)
  }

  private mutating func take(
    _ heard: EngineResult, from stream: SpeechStreamID? = nil, through: UInt64 = 16_000 * 60,
    after: Duration = .seconds(1)
  ) -> EngineResultDecision {
    now += after
    return assembler.take(
      heard, from: stream ?? self.stream, through: through, timeline, at: now)
  }

  @Test mutating func `all revisions of a result have one id`() throws {
    let first = take(.saying("hello"))
    let second = take(.saying("hello word"))
    let last = take(.saying("hello world .", isFinal: true))
    #expect(first.texts + second.texts + last.texts == ["hello", "hello word", "hello world."])
    let all = first.results + second.results + last.results
    #expect(Set(all.map(\.resultID)).count == 1)
    #expect(all.map(\.isPartial) == [true, true, false])
    #expect(all.map(\.revision) == [1, 2, 3])
    let result = try #require(last.results.first)
    #expect(result.language == .english)
    #expect(result.channelID == "ch_0")
    #expect(result.startMs == epoch)
    #expect(result.endMs == epoch + 300)
    let items = try #require(result.alternatives.first).items
    #expect(items.map(\.isPunctuation) == [false, false, true])
    #expect(items.map(\.startMs) == [epoch, epoch + 100, epoch + 200])
    #expect(items[2].endMs == items[2].startMs)
    #expect(items.allSatisfy { $0.speaker == .ada })
    #expect(assembler.openResults.isEmpty)
  }

  @Test mutating func `a result that arrives after the final result of its utterance is dropped`() {
    _ = take(.saying("yes", isFinal: true))
    #expect(take(.saying("yes and", isFinal: false)) == .dropped(.alreadyFinal))
    #expect(take(.saying("yes", isFinal: true)) == .dropped(.alreadyFinal))
    #expect(take(.saying("no", utterance: 2, at: 500, isFinal: true)).texts == ["no"])
    #expect(take(.saying("far", utterance: 40, at: 600)).texts == ["far"])
    #expect(take(.saying("old", utterance: 3, at: 550)) == .dropped(.alreadyFinal))
  }

  @Test mutating func `a result with invalid times or an unknown stream is dropped`() {
    #expect(take(.saying("one", at: 5_000)).texts == ["one"])
    #expect(take(.saying("two", utterance: 2, at: 1_000)) == .dropped(.backwards))
    var heard = EngineResult.saying("a b", utterance: 3, at: 6_000)
    heard.alternatives[0].words.swapAt(0, 1)
    #expect(take(heard) == .dropped(.backwards))
    #expect(take(.saying("late", utterance: 4, at: 59_950)) == .dropped(.beyondSpeech))
    #expect(take(.saying("x"), from: SpeechStreamID("other")) == .dropped(.unknownStream))
  }

  @Test mutating func `a result without new text is not published`() {
    #expect(take(.saying("same")).texts == ["same"])
    #expect(take(.saying("same")) == .unchanged)
    #expect(take(.saying("")) == .unchanged)
    #expect(take(.saying("more")).texts == ["more"])
    #expect(take(.saying("other"), after: .milliseconds(20)) == .unchanged)
    #expect(take(.saying("same", isFinal: true), after: .zero).texts == ["same"])
    #expect(take(.saying("", utterance: 2, at: 900, isFinal: true)) == .unchanged)
  }

  @Test mutating func `an empty final result withdraws a partial result`() throws {
    _ = take(.saying("noise"))
    let taken = take(.saying("", isFinal: true)).results
    #expect(taken.map(\.alternatives) == [[]])
    #expect(taken.map(\.isPartial) == [false])
  }

  @Test mutating func `at most thirty-two utterances are open`() {
    for number in 1...32 as ClosedRange<UInt64> {
      #expect(take(.saying("w", utterance: number, at: number * 10)) != .unchanged)
    }
    #expect(
      take(.saying("w", utterance: 32, at: 320, translatedFrom: .german)) == .dropped(.tooManyOpen))
    #expect(assembler.close(stream).count == 32)
    #expect(assembler.openResults.isEmpty)
  }

  @Test mutating func `a second engine continues a result under the same id`() {
    let before = take(.saying("hello wor")).results
    assembler.orphan(stream)
    #expect(assembler.openResults.count == 1)
    let other = SpeechStreamID("s2")
    assembler.open(other, of: .ada, in: .english)
    let after = take(.saying("hello world", isFinal: true), from: other).results
    #expect(before.map(\.resultID) == after.map(\.resultID))
    #expect(after.map(\.revision) == [2])
    #expect(assembler.openResults.isEmpty)
  }

  @Test mutating func `if an engine merges two partial results, these results become one result`() {
    _ = take(.saying("hello"))
    _ = take(.saying("world", utterance: 2, at: 150))
    assembler.orphan(stream)
    let other = SpeechStreamID("s2")
    assembler.open(other, of: .ada, in: .english)
    let results = take(.saying("hello world", isFinal: true), from: other).results
    #expect(results.map(\.text) == ["", "hello world"])
    #expect(results.allSatisfy { !$0.isPartial })
    #expect(assembler.openResults.isEmpty)
  }

  @Test mutating func `a result becomes final unchanged if no engine continues the result`() {
    _ = take(.saying("hello"))
    assembler.orphan(stream)
    #expect(assembler.closeOrphans(of: ParticipantIdentity.grace.id).isEmpty)
    #expect(assembler.closeOrphans(of: ParticipantIdentity.ada.id, before: 0).isEmpty)
    let closed = assembler.closeOrphans(of: ParticipantIdentity.ada.id, before: 16_000)
    #expect(closed.map(\.result.text) == ["hello"])
    #expect(closed.map(\.result.isPartial) == [false])
  }

  @Test mutating func `a translation has its own result id`() {
    let spoken = take(.saying("good morning", isFinal: true)).results
    let translated = take(
      .saying("guten Morgen", isFinal: true, in: .german, translatedFrom: .english)
    ).results
    #expect(spoken.map(\.resultID) != translated.map(\.resultID))
    #expect(translated.first?.language == .german)
    #expect(translated.first?.translatedFrom == .english)
  }

  @Test mutating func `a result keeps its id when its language is identified late`() {
    let other = SpeechStreamID("s2")
    assembler.open(other, of: .grace, in: nil)
    let partial = take(.saying("bonjour"), from: other).results
    let final = take(.saying("bonjour", isFinal: true, in: .french), from: other).results
    #expect(partial.allSatisfy { $0.language == nil })
    #expect(final.first?.language == .french)
    #expect(partial.map(\.resultID) == final.map(\.resultID))
    #expect(final.map(\.channelID) == ["ch_1"])
  }

  @Test(arguments: [
    (VocabularyFilterMethod.remove, "nobody said that"), (.mask, "nobody said *** *** that ***"),
    (.tag, "nobody said Damn you that Heck"),
  ])
  mutating func `filtered words are removed, masked or tagged`(
    method: VocabularyFilterMethod, text: String
  ) throws {
    assembler.rules = TranscriptTextRules(
      filtered: [["damn", "you"], ["heck"]], filterMethod: method)
    let result = try #require(
      take(.saying("nobody said Damn you that Heck", isFinal: true)).results.first)
    #expect(result.text == text)
    let marked = result.alternatives.first?.items.filter(\.isVocabularyFilterMatch).count
    #expect(marked == (method == .tag ? 3 : 0))
  }

  @Test mutating func `redacted content appears in no partial or final result`() throws {
    assembler.rules = TranscriptTextRules(redacted: .pii, entityTypes: ["NAME"])
    #expect(take(.saying("I am Ada Lovelace here")) == .unchanged)
    var heard = EngineResult.saying("I am Ada Lovelace here", isFinal: true)
    heard.alternatives[0].entities = [
      EngineEntity(type: "NAME", category: .pii, words: 2..<4, confidence: 0.9),
      EngineEntity(type: "PLACE", category: .pii, words: 4..<5),
    ]
    heard.alternatives.append(EngineResult.saying("I am Ada Lovelace hear").alternatives[0])
    let result = try #require(take(heard).results.first)
    #expect(result.text == "I am [NAME] here")
    #expect(result.alternatives.count == 1)
    let entity = try #require(result.alternatives.first?.entities.first)
    #expect(entity.content == "[NAME]")
    #expect(entity.startMs == epoch + 200)
    #expect(entity.endMs == epoch + 400)
    #expect(result.alternatives.first?.entities.count == 1)
  }

  @Test mutating func `identified content is listed beside the text`() throws {
    assembler.rules = TranscriptTextRules(identified: .pii)
    var heard = EngineResult.saying("I am Ada", isFinal: true)
    heard.alternatives[0].entities = [
      EngineEntity(type: "NAME", category: .pii, words: 2..<3)
    ]
    let result = try #require(take(heard).results.first)
    #expect(result.text == "I am Ada")
    #expect(result.alternatives.first?.entities.map(\.content) == ["Ada"])
  }

  @Test mutating func `a word becomes stable when several revisions contain it`() {
    func stability(_ assembly: EngineResultDecision) -> [Bool?] {
      assembly.results.first?.alternatives.first?.items.map(\.isStable) ?? []
    }
    #expect(stability(take(.saying("a"))) == [nil])
    assembler.rules = TranscriptTextRules(stableAfter: 2)
    #expect(stability(take(.saying("a b"))) == [true, false])
    #expect(stability(take(.saying("a c"))) == [true, false])
    #expect(stability(take(.saying("a c d"))) == [true, true, false])
    #expect(stability(take(.saying("a c d", isFinal: true))) == [true, true, true])
  }

  @Test mutating func `Japanese words are joined without spaces`() {
    let other = SpeechStreamID("s2")
    assembler.open(other, of: .grace, in: LanguageCode(unchecked: "ja-JP"))
    #expect(take(.saying("今日 は", isFinal: true), from: other).texts == ["今日は"])
  }
}
