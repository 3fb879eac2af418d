internal import MeetingViews

/// Writes utterances as cues of a file, by the rules of `Tests/CaptionVectors/README.md`.
struct CueWriter: Sendable {
  private let format: CueFormat

  /// Time zero of the file, in milliseconds since 1970.
  private let originMs: Int64

  private var count = 0
  private var lastStart: Int64 = 0

  init(_ format: CueFormat, originMs: Int64) {
    (self.format, self.originMs) = (format, originMs)
  }

  /// The beginning of the file.
  var header: String { format.header }

  /// Returns the cues of an utterance, each followed by an empty line.
  ///
  /// A partial result and a result without words have no cues.
  mutating func write(_ result: SpokenResult) -> String {
    CueCutter(result, label: format.label(of:)).cues.map { write($0) }.joined()
  }

  private mutating func write(_ cue: Cue) -> String {
    // In a live file, no cue may begin earlier than a cue that the file already contains.
    lastStart = max(cue.startMs - originMs, 0, lastStart)
    // Players never show a cue that ends at its start.
    let end = max(cue.endMs - originMs, lastStart + 1)
    count += 1
    return format.text(of: cue, from: lastStart, to: end, number: count)
  }
}
