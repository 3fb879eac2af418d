internal import ArgumentParser
internal import Foundation
internal import MeetingViews
internal import Output

/// How `carillon transcript follow` writes what is said.
enum CaptionFormat: String, CaseIterable, ExpressibleByArgument {
  /// A line for each utterance: when, who, what.
  case text
  /// A JSON object a line.
  case json
  /// WebVTT, as https://www.w3.org/TR/webvtt1/ has it.
  case vtt
  /// SubRip.
  case srt

  /// `nil` of a format without cues.
  fileprivate var cueFormat: CueFormat? {
    switch self {
    case .text, .json: nil
    case .vtt: .vtt
    case .srt: .srt
    }
  }
}

/// Writes utterances in one format. A value: what is said goes in, text comes out.
struct CaptionWriter: Sendable {
  let format: CaptionFormat

  /// Whether partial results are written, where the format can show that they are.
  let hasPartials: Bool

  /// `nil` of a format without cues.
  private var cues: CueWriter?

  /// - Parameter originMs: What counts as time zero in captions, in milliseconds since 1970.
  init(_ format: CaptionFormat, originMs: Int64, hasPartials: Bool = false) {
    (self.format, self.hasPartials) = (format, hasPartials)
    cues = format.cueFormat.map { CueWriter($0, originMs: originMs) }
  }

  /// What a file begins with, without the last line feed; `nil`: nothing.
  var header: String? { Self.line(cues?.header ?? "") }

  /// The lines for something that was said, without the last line feed; `nil`: it is not written.
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
