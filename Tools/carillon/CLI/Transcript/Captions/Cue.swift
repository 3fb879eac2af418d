internal import MeetingViews

/// A caption: one or two lines with the words of one speaker.
struct Cue: Hashable, Sendable {
  /// The start in milliseconds since 1970.
  var startMs: Int64
  /// The end in milliseconds since 1970, not before the start.
  var endMs: Int64
  /// The speaker's name; empty if unknown.
  var speaker: String
  var lines: [String]
}

/// Splits an utterance into cues by the rules of `Tests/CaptionVectors/README.md`.
struct CueCutter {
  /// The maximum number of characters of a line, from EBU-TT-D and the BBC's subtitle guidelines.
  static let width = 42
  private static let mostLines = 2

  private let result: SpokenResult
  private let text: CaptionText
  private let label: (String) -> String

  /// The words with a known position in the text, in the text's order.
  private let placed: [(place: Int, word: SpokenWord)]

  /// - Parameter label: Returns the text before a speaker's words in the first line.
  init(_ result: SpokenResult, label: @escaping (String) -> String) {
    (self.result, self.label) = (result, label)
    text = CaptionText(oneLine: result.text)
    placed = Self.place(result.words, in: text)
  }

  /// The cues in the order of the text; empty for a partial result.
  var cues: [Cue] {
    guard !result.isPartial, text.count > 0 else { return [] }
    return runs.flatMap(cues(of:))
  }

  private static func place(
    _ words: [SpokenWord], in text: CaptionText
  ) -> [(place: Int, word: SpokenWord)] {
    var start = 0
    return words.compactMap { word in
      guard let range = text.range(of: CaptionText(oneLine: word.content), from: start) else {
        return nil
      }
      start = range.upperBound
      return (range.lowerBound, word)
    }
  }

  // MARK: Speakers

  /// A part of the text that one speaker spoke.
  private struct SpeakerRun {
    var part: Range<Int>
    var speaker: AttendeeName?
  }

  /// The text split by speakers; a part without a speaker belongs to the previous speaker.
  private var runs: [SpeakerRun] {
    let named = placed.filter { !$0.word.speaker.calledName.isEmpty }
    var runs = [SpeakerRun(part: 0..<text.count, speaker: named.first?.word.speaker ?? onlySpeaker)]
    for (place, word) in named where word.speaker != runs[runs.count - 1].speaker {
      runs[runs.count - 1].part = runs[runs.count - 1].part.lowerBound..<place
      runs.append(SpeakerRun(part: place..<text.count, speaker: word.speaker))
    }
    return runs
  }

  private var onlySpeaker: AttendeeName? {
    let speakers = Set(result.words.map(\.speaker).filter { !$0.calledName.isEmpty })
    return result.words.isEmpty ? result.speaker : speakers.count == 1 ? speakers.first : nil
  }

  // MARK: Lines and times

  private func cues(of run: SpeakerRun) -> [Cue] {
    let speaker = String(CaptionText(oneLine: run.speaker?.calledName ?? ""))
    let first = max(1, Self.width - label(speaker).unicodeScalars.count)
    let lines = text.lines(of: run.part) { $0 % Self.mostLines == 0 ? first : Self.width }
    return stride(from: 0, to: lines.count, by: Self.mostLines).map { start in
      cue(Array(lines[start..<min(start + Self.mostLines, lines.count)]), speaker)
    }
  }

  private func cue(_ lines: [Range<Int>], _ speaker: String) -> Cue {
    let part = (lines.first?.lowerBound ?? 0)..<(lines.last?.upperBound ?? 0)
    let (start, end) = times(of: part)
    return Cue(
      startMs: start, endMs: max(start, end), speaker: speaker, lines: lines.map { text[$0] })
  }

  /// Returns the times at which a part starts and ends, according to the part's words. If the
  /// engine reports no words, the part gets a share of the result's time, in proportion to the
  /// part's length.
  private func times(of part: Range<Int>) -> (Int64, Int64) {
    let words = placed.filter { part.contains($0.place) }.map(\.word)
    if let start = words.map(\.startMs).min(), let end = words.map(\.endMs).max() {
      return (start, end)
    }
    let span = max(0, result.endMs - result.startMs)
    func time(at place: Int) -> Int64 { result.startMs + span * Int64(place) / Int64(text.count) }
    return (time(at: part.lowerBound), time(at: part.upperBound))
  }
}

extension AttendeeName {
  /// The name for a reader: the display name, or else the attendee's id.
  fileprivate var calledName: String { shown.isEmpty ? attendeeID : shown }
}

extension String {
  fileprivate init(_ text: CaptionText) { self = text[0..<text.count] }
}
