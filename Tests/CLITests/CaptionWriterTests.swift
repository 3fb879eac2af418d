import ArgumentParser
import CarillonClientCore
import Testing
import Wire

@testable import CLI
@testable import MeetingViews
@testable import Output
@testable import CarillonProgram

@Suite struct CaptionWriterTests {
  private static let origin: Int64 = 1_790_000_000_000

  private static func result(
    _ text: String, from start: Int64 = 1_500, to end: Int64 = 3_723_004, isPartial: Bool = false,
    by name: String = "ada", shownAs displayName: String = ""
  ) -> TranscriptLine {
    .result(
      SpokenResult(
        id: "r-1", isPartial: isPartial, startMs: origin + start, endMs: origin + end,
        speaker: AttendeeName(
          attendeeID: "a", externalUserID: name, displayName: displayName), text: text,
        language: "en-US"))
  }

  private static let status = TranscriptLine.status(
    name: "failed", timeMs: origin, message: "No engine.")

  @Test func `WebVTT cues name their speakers`() {
    var writer = CaptionWriter(.vtt, originMs: Self.origin)
    #expect(writer.header == "WEBVTT\n")
    #expect(writer.write(Self.status) == nil)
    #expect(writer.write(Self.result("wait", isPartial: true)) == nil)
    #expect(
      writer.write(Self.result("a < b & c --> d", by: "A&B"))
        == "00:00:01.500 --> 01:02:03.004\n<v A&amp;B>a &lt; b &amp; c --&gt; d\n")
    #expect(
      writer.write(Self.result("two\nlines", from: -500, to: -400))
        == "00:00:01.500 --> 00:00:01.501\n<v ada>two lines\n")
  }

  @Test func `SubRip cues have numbers, and times with commas`() {
    var writer = CaptionWriter(.srt, originMs: Self.origin)
    #expect(writer.header == nil)
    #expect(
      writer.write(Self.result("hello", to: 2_000))
        == "1\n00:00:01,500 --> 00:00:02,000\nada: hello\n")
    #expect(writer.write(Self.result("")) == nil)
  }

  @Test(arguments: [
    "Łukasz", "花子", "Zoe\u{308}", "O'Neil", "محمد عبد الله", "דנה (she)", "👩🏽‍🚀 Kim",
  ])
  func `every caption format shows the names of the speakers`(name: String) {
    let line = Self.result("hello", to: 2_000, by: "guest-ab12cd", shownAs: name)
    var (vtt, srt, text, json) = (
      CaptionWriter(.vtt, originMs: Self.origin), CaptionWriter(.srt, originMs: Self.origin),
      CaptionWriter(.text, originMs: 0), CaptionWriter(.json, originMs: 0)
    )
    #expect(vtt.write(line) == "00:00:01.500 --> 00:00:02.000\n<v \(name)>hello\n")
    #expect(srt.write(line) == "1\n00:00:01,500 --> 00:00:02,000\n\(name): hello\n")
    #expect(text.write(line)?.hasSuffix("  \(name)  hello") == true)
    #expect(json.write(line)?.contains(#""\#(name)""#) == true)
  }

  @Test func `the text format shows partial results only on request`() throws {
    var finals = CaptionWriter(.text, originMs: 0)
    #expect(finals.write(Self.result("hel", isPartial: true)) == nil)
    #expect(finals.write(Self.result("hello"))?.hasSuffix("  ada  hello") == true)
    var all = CaptionWriter(.text, originMs: 0, hasPartials: true)
    #expect(all.write(Self.result("hel", isPartial: true))?.hasSuffix("  ada  hel …") == true)
  }

  @Test func `JSON captions also contain the statuses of the transcription`() {
    var writer = CaptionWriter(.json, originMs: 0)
    #expect(
      writer.write(Self.status)
        == #"{"event": "transcription", "status": "failed", "time_ms": 1790000000000, "#
        + #""message": "No engine."}"#)
    #expect(writer.write(Self.result("hel", isPartial: true)) == nil)
    #expect(
      writer.write(Self.result("hello", to: 2_000))
        == #"{"event": "transcript", "result_id": "r-1", "is_partial": false, "#
        + #""start_ms": 1790000001500, "end_ms": 1790000002000, "attendee_id": "a", "#
        + #""external_user_id": "ada", "text": "hello", "language_code": "en-US"}"#)
  }

  @Test(arguments: [
    ["follow", "--count", "0"], ["follow", "--partials", "--format", "srt"],
    ["follow", "--format", "doc"], ["start"], ["start", "m", "--filter-method", "burn"],
  ])
  func `a wrong command line is refused`(words: [String]) {
    #expect(throws: (any Error).self) { try CarillonCommand.parseAsRoot(["transcript"] + words) }
  }

  @Test func `the command carillon transcript start reads all its options`() throws {
    let words = [
      "transcript", "start", "m", "--identify-language", "--language-option", "en-US",
      "--language-option", "de-DE", "--engine", "mine", "--phrase", "Carillon", "--filter-word",
      "darn", "--translate-to", "fr-FR", "--stability", "high",
    ]
    let command = try #require(
      try CarillonCommand.parseAsRoot(words) as? TranscriptCommand.Start)
    let configuration = command.transcriptionConfiguration
    #expect(configuration.languageOptions == ["en-US", "de-DE"])
    #expect(configuration.isLanguageIdentified)
    #expect((configuration.engine, configuration.phrases) == ("mine", ["Carillon"]))
    #expect(configuration.filteredWords == ["darn"])
    #expect(configuration.vocabularyFilterMethod == .mask)
    #expect(configuration.translateTo == ["fr-FR"])
    #expect(configuration.partialResultsStability == .high)
  }
}
