/// A file format of cues: the form of text, times and speakers.
///
/// All lengths count Unicode scalars, because a combining mark would join the previous character in
/// a count of grapheme clusters.
enum CueFormat: Sendable {
  /// WebVTT, as defined in https://www.w3.org/TR/webvtt1/.
  case vtt
  /// The format SubRip.
  case srt

  /// The beginning of a file.
  var header: String { self == .vtt ? "WEBVTT\n\n" : "" }

  /// Returns the text that takes room in a cue's first line: in SubRip, the speaker's name.
  func label(of speaker: String) -> String {
    switch self {
    case .vtt: ""
    case .srt: Self.subRipLabel(of: speaker)
    }
  }

  /// Returns the text of a cue, followed by an empty line.
  ///
  /// - Parameters:
  ///   - start: The start in milliseconds from the beginning.
  ///   - end: The end in milliseconds from the beginning.
  ///   - number: The cue's number, from 1.
  func text(of cue: Cue, from start: Int64, to end: Int64, number: Int) -> String {
    let times = "\(time(start)) --> \(time(end))\n"
    switch self {
    case .vtt:
      let voice = cue.speaker.isEmpty ? "" : "<v \(Self.escaped(cue.speaker))>"
      return times + voice + cue.lines.map(Self.escaped).joined(separator: "\n") + "\n\n"
    case .srt:
      let lines = cue.lines.map(Self.plain).joined(separator: "\n")
      return "\(number)\n\(times)\(label(of: cue.speaker))\(lines)\n\n"
    }
  }

  private func time(_ milliseconds: Int64) -> String {
    func padded(_ number: Int64, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    let seconds = milliseconds / 1000
    return [padded(seconds / 3600, 2), padded(seconds / 60 % 60, 2), padded(seconds % 60, 2)]
      .joined(separator: ":") + (self == .vtt ? "." : ",") + padded(milliseconds % 1000, 3)
  }

  // MARK: WebVTT

  /// Escapes text. The result contains no arrow.
  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { escaped, scalar in
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
  }

  // MARK: SubRip

  private static let longestName = 20

  private static func subRipLabel(of speaker: String) -> String {
    let name = Array(plain(speaker).unicodeScalars)
    guard name.count > longestName else { return name.isEmpty ? "" : string(name) + ": " }
    let kept = name.prefix(longestName - 1)
    return string(kept.dropLast(kept.reversed().prefix { $0 == " " }.count)) + "…: "
  }

  /// Replaces the characters that SubRip cannot escape.
  ///
  /// Players read `<b>` and `{\an8}` as markup, and an arrow as times.
  private static func plain(_ text: String) -> String {
    let scalars = Array(text.unicodeScalars).replacing(Array("-->".unicodeScalars), with: ["→"])
    let followers = scalars.dropFirst().map(Optional.some) + [nil]
    return string(zip(scalars, followers).map { beginsMarkup($0, $1) ? harmless($0) : $0 })
  }

  private static func beginsMarkup(_ scalar: Unicode.Scalar, _ next: Unicode.Scalar?) -> Bool {
    guard let next, scalar == "<" || scalar == "{" else { return false }
    let isLetter = ("a"..."z").contains(next) || ("A"..."Z").contains(next)
    return isLetter || next == "/" || (next == "\\" && scalar == "{")
  }

  private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    scalar == "<" ? "‹" : "("
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    String(String.UnicodeScalarView(scalars))
  }
}
