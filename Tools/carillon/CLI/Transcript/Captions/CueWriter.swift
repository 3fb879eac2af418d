internal import MeetingViews

/// Writes utterances as the cues of a file, by the rules of `Tests/CaptionVectors/README.md`.
struct CueWriter: Sendable {
  private let format: CueFormat

  /// What counts as time zero, in milliseconds since 1970.
  private let originMs: Int64

  private var count = 0
  private var lastStart: Int64 = 0

  init(_ format: CueFormat, originMs: Int64) {
    (self.format, self.originMs) = (format, originMs)
  }

  /// What the file begins with.
  var header: String { format.header }

  /// The cues of an utterance, each with the empty line behind it; none of a partial one, or one
  /// without words.
  mutating func write(_ result: SpokenResult) -> String {
    CueCutter(result, label: format.label(of:)).cues.map { write($0) }.joined()
  }

  private mutating func write(_ cue: Cue) -> String {
    // In a file that is written live no cue begins before one that is written already.
    lastStart = max(cue.startMs - originMs, 0, lastStart)
    // A cue without a length is never shown.
    let end = max(cue.endMs - originMs, lastStart + 1)
    count += 1
    return format.text(of: cue, from: lastStart, to: end, number: count)
  }
}
