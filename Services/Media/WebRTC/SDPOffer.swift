/// The offer of a browser (RFC 8866, RFC 8829), as far as an answer needs it. What is not read here
/// is passed over.
struct SDPOffer: Hashable {
  /// One m-line with its attributes.
  struct Section: Hashable {
    /// `audio`, `video` or another word.
    let kind: String
    let port: Int
    let transport: String

    /// Payload types, or whatever else stands there.
    let formats: [String]

    /// Attributes in order, without `a=`.
    fileprivate(set) var attributes: [String] = []

    /// The value of the first attribute of a name; empty for one without.
    subscript(name: String) -> String? { values(name).first }

    /// The values of all attributes of a name.
    func values(_ name: String) -> [String] {
      attributes.compactMap { attribute in
        if attribute == name { return "" }
        return attribute.hasPrefix(name + ":") ? String(attribute.dropFirst(name.count + 1)) : nil
      }
    }
  }

  /// Why an offer is none, or cannot be answered.
  struct Problem: Error, Hashable {
    let text: String

    init(_ text: String) { self.text = text }
  }

  /// Attributes before the first m-line.
  private(set) var attributes: [String] = []
  private(set) var sections: [Section] = []

  static let mostBytes = 262_144
  private static let mostSections = 128
  private static let mostLines = 8_192

  /// The mids that share one transport, in their order (RFC 9143).
  var bundle: [String] {
    let group = attributes.first { $0.hasPrefix("group:BUNDLE") }
    return group?.split(separator: " ").dropFirst().map { String($0) } ?? []
  }

  /// What a section says, or the session for all sections.
  func value(_ name: String, of section: Section) -> String? {
    section[name]
      ?? attributes.first { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) }
  }

  init(_ text: String) throws(Problem) {
    guard text.utf8.count <= Self.mostBytes else { throw Problem("The offer is too long.") }
    let lines = text.utf8.split { $0 == 0x0A || $0 == 0x0D }
    guard lines.count <= Self.mostLines else { throw Problem("The offer has too many lines.") }
    guard lines.first.map({ String($0) ?? "" }) == "v=0" else {
      throw Problem("The offer does not begin with v=0.")
    }
    for bytes in lines.dropFirst() {
      guard let line = String(bytes), line.utf8.dropFirst().first == UInt8(ascii: "=") else {
        throw Problem("A line of the offer is no line of SDP.")
      }
      let value = String(line.dropFirst(2))
      switch line.first {
      case "m":
        guard sections.count < Self.mostSections else {
          throw Problem("The offer has too many sections.")
        }
        sections.append(try Self.section(value))
      case "a" where sections.isEmpty: attributes.append(value)
      case "a": sections[sections.count - 1].attributes.append(value)
      default: break
      }
    }
    guard !sections.isEmpty else { throw Problem("The offer has no section.") }
    let mids = sections.compactMap { $0["mid"] }
    guard Set(mids).count == mids.count else {
      throw Problem("Two sections of the offer have the same mid.")
    }
  }

  private static func section(_ line: String) throws(Problem) -> Section {
    let words = line.split(separator: " ").map { String($0) }
    guard words.count >= 4, let port = Int(words[1].prefix { $0 != "/" }),
      (0...65_535).contains(port)
    else { throw Problem("An m-line of the offer is none.") }
    return Section(kind: words[0], port: port, transport: words[2], formats: Array(words[3...]))
  }
}
