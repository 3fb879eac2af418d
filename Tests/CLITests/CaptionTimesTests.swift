import Testing

@testable import CLI
@testable import MeetingViews

/// Tests of the times and numbers in captions, in addition to ``CaptionWriterTests``.
@Suite struct CaptionTimesTests {
  private static let origin: Int64 = 1_790_000_000_000

  private func line(
    _ text: String = "hi", from start: Int64, to end: Int64, isPartial: Bool = false
  ) -> TranscriptLine {
    .result(
      SpokenResult(
        id: "r", isPartial: isPartial, startMs: Self.origin + start, endMs: Self.origin + end,
        speaker: AttendeeName(attendeeID: "a", externalUserID: "ada"), text: text))
  }

  @Test(
    arguments: [
      (0, 1, "00:00:00.000 --> 00:00:00.001"), (999, 1_000, "00:00:00.999 --> 00:00:01.000"),
      (59_999, 60_000, "00:00:59.999 --> 00:01:00.000"),
      (3_599_999, 3_600_000, "00:59:59.999 --> 01:00:00.000"),
      (86_400_000, 360_000_000, "24:00:00.000 --> 100:00:00.000"),
      (500, 500, "00:00:00.500 --> 00:00:00.501"), (500, 100, "00:00:00.500 --> 00:00:00.501"),
      (-900, 300, "00:00:00.000 --> 00:00:00.300"),
    ] as [(Int64, Int64, String)])
  func `a cue starts no earlier than the recording and has a positive length`(
    start: Int64, end: Int64, times: String
  ) {
    var vtt = CaptionWriter(.vtt, originMs: Self.origin)
    #expect(vtt.write(line(from: start, to: end)) == "\(times)\n<v ada>hi\n")
    var srt = CaptionWriter(.srt, originMs: Self.origin)
    let commas = times.replacing(".", with: ",")
    #expect(srt.write(line(from: start, to: end)) == "1\n\(commas)\nada: hi\n")
  }

  @Test func `SubRip cues are numbered from one, and omitted lines take no number`() {
    var writer = CaptionWriter(.srt, originMs: Self.origin)
    let lines: [TranscriptLine] = [
      line(from: 0, to: 1), line("hel", from: 1, to: 2, isPartial: true), line("", from: 2, to: 3),
      .status(name: "stopped", timeMs: 4, message: nil), line("more", from: 5, to: 6),
    ]
    let written = lines.compactMap { writer.write($0) }
    #expect(written.map { $0.prefix(2) } == ["1\n", "2\n"])
  }

  @Test(arguments: [" ", "\n", "\r\n \n"])
  func `an utterance that contains only white space produces no cue`(text: String) {
    for format in [CaptionFormat.vtt, .srt] {
      var writer = CaptionWriter(format, originMs: Self.origin)
      #expect(writer.write(line(text, from: 0, to: 1)) == nil)
    }
  }

  @Test(arguments: [(CaptionFormat.text, false), (.json, false), (.vtt, true), (.srt, false)])
  func `only WebVTT has a header`(format: CaptionFormat, hasHeader: Bool) {
    #expect((CaptionWriter(format, originMs: 0).header != nil) == hasHeader)
  }

  @Test func `a text with a line break is written in one line`() {
    var writer = CaptionWriter(.text, originMs: 0)
    #expect(
      writer.write(line("two\nlines\u{1B}[2J", from: 123, to: 124))
        == #"14:13:20.123  ada  two\nlines\u{1b}[2J"#)
  }
}
