internal import ArgumentParser
internal import Foundation
internal import MeetingViews
internal import Output

/// The output format of `carillon transcript follow`.
enum CaptionFormat: String, CaseIterable, ExpressibleByArgument {
  /// One line for each utterance, with time, speaker and words.
  case text
  /// One JSON object per line.
  case json
  /// WebVTT, as defined in https://www.w3.org/TR/webvtt1/.
  case vtt
  /// The format SubRip.
  case srt

  /// The format of cues; `nil` for a format without cues.
  fileprivate var cueFormat: CueFormat? {
    switch self {
    case .text, .json: nil
    case .vtt: .vtt
    case .srt: .srt
    }
  }
}

/// Writes utterances in one format. The writer is a value that takes transcript lines and returns
/// text.
struct CaptionWriter: Sendable {
  let format: CaptionFormat

  /// Whether to write partial results, in formats that can mark results as partial.
  let hasPartials: Bool

  /// The writer of cues; `nil` for a format without cues.
  private var cues: CueWriter?

  /// - Parameter originMs: Time zero of the captions, in milliseconds since 1970.
  init(_ format: CaptionFormat, originMs: Int64, hasPartials: Bool = false) {
    (self.format, self.hasPartials) = (format, hasPartials)
    cues = format.cueFormat.map { CueWriter($0, originMs: originMs) }
  }

  /// The beginning of a file, without the last line feed; `nil` for a format without a beginning.
  var header: String? { Self.line(cues?.header ?? "") }

  /// Returns the text of a transcript line, without the last line feed; `nil` for a line that the
  /// format omits.
  mutating func write(_ line: TranscriptLine) -> String? {
    if case .result(let result) = line {
      if cues != nil { return Self.line(cues?.write(result) ?? "") }
      guard hasPartials || !result.isPartial else { return nil }
      return format == .json ? line.record.json : Self.text(result)
    }
    return format == .json ? line.record.json : nil
  }

  private static func line(_ text: String) -> String? {
    text.isEmpty ? nil : String(text.dropLast())
  }

  private static func text(_ result: SpokenResult) -> String {
    let date = Date(timeIntervalSince1970: (Double(result.startMs) + 0.5) / 1000)
    let time = date.formatted(.iso8601.time(includingFractionalSeconds: true))
    let name = PrintableText.escaped(result.speaker.shown)
    let mark = result.isPartial ? " …" : ""
    return "\(time)  \(name)  \(PrintableText.escaped(result.text))\(mark)"
  }
}
