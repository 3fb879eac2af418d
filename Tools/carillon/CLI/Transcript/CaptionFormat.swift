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
}

/// Writes utterances in one format. A value: what is said goes in, text comes out.
struct CaptionWriter: Sendable {
  let format: CaptionFormat

  /// What counts as time zero in captions, in milliseconds since 1970.
  let originMs: Int64

  /// Whether partial results are written, where the format can show that they are.
  let hasPartials: Bool

  private var count = 0

  init(_ format: CaptionFormat, originMs: Int64, hasPartials: Bool = false) {
    (self.format, self.originMs, self.hasPartials) = (format, originMs, hasPartials)
  }

  /// What a file begins with; `nil`: nothing.
  var header: String? { format == .vtt ? "WEBVTT\n" : nil }

  /// The lines for something that was said; `nil`: it is not written.
  mutating func write(_ line: TranscriptLine) -> String? {
    if format == .json {
      if case .result(let result) = line, result.isPartial, !hasPartials { return nil }
      return line.record.json
    }
    guard case .result(let result) = line else { return nil }
    switch format {
    case .text:
      guard hasPartials || !result.isPartial else { return nil }
      return Self.text(result)
    case .vtt, .srt:
      guard !result.isPartial, !result.text.allSatisfy(\.isWhitespace) else { return nil }
      count += 1
      return format == .vtt ? vtt(result) : srt(result)
    case .json: return nil
    }
  }

  private static func text(_ result: SpokenResult) -> String {
    let date = Date(timeIntervalSince1970: (Double(result.startMs) + 0.5) / 1000)
    let time = date.formatted(.iso8601.time(includingFractionalSeconds: true))
    let name = PrintableText.escaped(result.speaker.externalUserID)
    let mark = result.isPartial ? " …" : ""
    return "\(time)  \(name)  \(PrintableText.escaped(result.text))\(mark)"
  }

  private func vtt(_ result: SpokenResult) -> String {
    let name = Self.escaped(Self.oneLine(result.speaker.externalUserID))
    let text = Self.escaped(Self.oneLine(result.text))
    return "\(count)\n\(times(result, "."))\n<v \(name)>\(text)</v>\n"
  }

  private func srt(_ result: SpokenResult) -> String {
    let name = Self.oneLine(result.speaker.externalUserID)
    return "\(count)\n\(times(result, ","))\n\(name): \(Self.oneLine(result.text))\n"
  }

  private func times(_ result: SpokenResult, _ separator: String) -> String {
    let start = max(0, result.startMs - originMs)
    // A cue without a length is never shown.
    let end = max(start + 1, result.endMs - originMs)
    return "\(Self.time(start, separator)) --> \(Self.time(end, separator))"
  }

  private static func time(_ milliseconds: Int64, _ separator: String) -> String {
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let seconds = milliseconds / 1000
    return [padded(seconds / 3600, 2), padded(seconds / 60 % 60, 2), padded(seconds % 60, 2)]
      .joined(separator: ":") + separator + padded(milliseconds % 1000, 3)
  }

  /// Escapes text as WebVTT wants it; it holds no arrow then either.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// A line break would end a cue.
  private static func oneLine(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}
