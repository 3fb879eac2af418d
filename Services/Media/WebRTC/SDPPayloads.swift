/// The payload types of a section that media takes, and the lines that say what they are.
struct Payloads {
  /// In the order of the offer.
  private(set) var taken: [String] = []

  /// The offer's lines of those types, as an answer repeats them: `a=rtpmap:…`, `a=fmtp:…` and
  /// `a=rtcp-fb:…`.
  private(set) var lines: [String] = []

  private static let feedback: Set<String> = ["nack", "nack pli", "ccm fir", "goog-remb"]

  init(of section: SDPOffer.Section) {
    var names: [String: String] = [:]
    for map in section.values("rtpmap") {
      let words = map.split(separator: " ")
      guard words.count == 2 else { continue }
      names[String(words[0])] = words[1].lowercased()
    }
    var parameters: [String: String] = [:]
    for line in section.values("fmtp") {
      let type = String(line.prefix { $0 != " " })
      parameters[type] = String(line.dropFirst(type.count + 1))
    }
    let media = section.formats.filter {
      Self.isCarried(names[$0] ?? "", parameters[$0] ?? "", section.kind)
    }
    // What is sent once more goes with what it is of.
    taken = section.formats.filter { format in
      if media.contains(format) { return true }
      guard names[format]?.hasPrefix("rtx/") == true else { return false }
      return media.contains { parameters[format] == "apt=\($0)" }
    }
    for format in taken {
      if let name = section.values("rtpmap").first(where: { Self.type(of: $0) == format }) {
        lines.append("a=rtpmap:" + name)
      }
      if let parameters = parameters[format] { lines.append("a=fmtp:\(format) \(parameters)") }
      for line in section.values("rtcp-fb") where Self.type(of: line) == format {
        guard Self.feedback.contains(String(line.dropFirst(format.count + 1))) else { continue }
        lines.append("a=rtcp-fb:" + line)
      }
    }
  }

  /// The payload type that a line, or the value of an attribute, is about.
  static func type(of line: String) -> String {
    let value = line.hasPrefix("a=") ? line.drop { $0 != ":" }.dropFirst() : line[...]
    return String(value.prefix { $0 != " " })
  }

  private static func isCarried(_ name: String, _ parameters: String, _ kind: String) -> Bool {
    switch name {
    case "opus/48000/2": kind == "audio"
    case "vp8/90000": kind == "video"
    case "h264/90000":
      kind == "video" && parameters.contains("packetization-mode=1")
        && parameters.lowercased().contains("profile-level-id=42e0")
    default: false
    }
  }
}
