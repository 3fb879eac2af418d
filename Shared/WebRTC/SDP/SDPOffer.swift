/// An SDP description of a browser (RFC 8866, RFC 8829): the attributes of the session and of each
/// section, in order.
public struct SDPOffer: Hashable, Sendable {
  /// One m-line with its attributes.
  public struct Section: Hashable, Sendable {
    /// `audio`, `video` or another word.
    public let kind: String

    /// The port; 0 in a section that the answer rejects, or that shares the transport of another
    /// section.
    public let port: Int

    /// The transport's protocol, such as `UDP/TLS/RTP/SAVPF`.
    public let transport: String

    /// The payload types; for a transport other than RTP, the formats of that transport.
    public fileprivate(set) var formats: [String]

    /// The attributes that are ASCII, in order and without `a=`.
    public fileprivate(set) var attributes: [String] = []

    /// The other lines of the section in order: `c=…`, `b=…`.
    public fileprivate(set) var lines: [String] = []

    /// Removes the formats, the ``lines``, and all attributes except the attributes with the given
    /// names.
    mutating func forget(but names: [String]) {
      (formats, lines) = ([], [])
      attributes = attributes.filter { attribute in
        names.contains { attribute.hasPrefix($0 + ":") }
      }
    }

    /// Returns the value of the first attribute that has the given name; empty for an attribute
    /// without a value.
    public subscript(name: String) -> String? { values(name).first }

    /// Returns the values of all attributes that have the given name.
    public func values(_ name: String) -> [String] {
      attributes.compactMap { attribute in
        if attribute == name { return "" }
        return attribute.hasPrefix(name + ":") ? String(attribute.dropFirst(name.count + 1)) : nil
      }
    }
  }

  /// The reason why a text is not an offer, or why this side cannot answer an offer.
  public struct Problem: Error, Hashable {
    /// A sentence for the client's developer.
    public let text: String

    /// - Parameter text: A sentence for the client's developer.
    public init(_ text: String) { self.text = text }
  }

  /// The attributes before the first m-line.
  public private(set) var attributes: [String] = []

  /// The other lines before the first m-line, in order: `o=…`, `s=…`, `t=…`.
  public private(set) var lines: [String] = []

  /// The m-lines in order.
  public private(set) var sections: [Section] = []

  /// The maximum size of an offer, in bytes of UTF-8.
  public static let mostBytes = 262_144
  private static let mostSections = 128
  private static let mostLines = 8_192

  /// The mids of the sections that share one transport, in order (RFC 9143).
  public var bundle: [String] {
    let group = attributes.first { $0.hasPrefix("group:BUNDLE") }
    return group?.split(separator: " ").dropFirst().map { String($0) } ?? []
  }

  /// Returns the first value of an attribute in a section. If the section does not have the
  /// attribute, returns the first value in the session.
  public func value(_ name: String, of section: Section) -> String? {
    section[name]
      ?? attributes.first { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// Returns all values of an attribute in a section. If the section does not have the attribute,
  /// returns all values in the session.
  public func values(_ name: String, of section: Section) -> [String] {
    let own = section.values(name)
    guard own.isEmpty else { return own }
    return attributes.filter { $0.hasPrefix(name + ":") }.map {
      String($0.dropFirst(name.count + 1))
    }
  }

  /// Reads the text of an offer. The time grows only linearly with the length of the text.
  ///
  /// Ignores attributes that are not ASCII, because every attribute that this side understands is
  /// ASCII (RFC 8866, §5.13). Without this rule, the comparison of attributes with many combining
  /// marks would take quadratic time, because Swift sorts the marks of each character.
  ///
  /// - Parameter text: The text of the offer, with at most 256 KiB, 8,192 lines and 128 sections.
  /// - Throws: A ``Problem`` that describes the error.
  public init(_ text: String) throws(Problem) {
    guard text.utf8.count <= Self.mostBytes else { throw Problem("The offer is too long.") }
    let lines = text.utf8.split { $0 == 0x0A || $0 == 0x0D }
    guard lines.count <= Self.mostLines else { throw Problem("The offer has too many lines.") }
    guard lines.first?.elementsEqual("v=0".utf8) == true else {
      throw Problem("The offer must begin with v=0.")
    }
    for bytes in lines.dropFirst() {
      guard let line = String(bytes), line.utf8.dropFirst().first == UInt8(ascii: "=") else {
        throw Problem("Each line of the offer must have the form TYPE=VALUE.")
      }
      let value = String(line.utf8.dropFirst(2)) ?? ""
      let isASCII = bytes.allSatisfy { $0 < 0x80 }
      switch line.first {
      case "m":
        guard isASCII else { throw Problem("Each m= line of the offer must be ASCII.") }
        guard sections.count < Self.mostSections else {
          throw Problem("The offer has too many sections.")
        }
        sections.append(try Self.section(value))
      case "a" where !isASCII: continue
      case "a" where sections.isEmpty: attributes.append(value)
      case "a": sections[sections.count - 1].attributes.append(value)
      case _ where sections.isEmpty: self.lines.append(line)
      default: sections[sections.count - 1].lines.append(line)
      }
    }
    guard !sections.isEmpty else { throw Problem("The offer has no section.") }
    let mids = sections.compactMap { $0["mid"] }
    guard Set(mids).count == mids.count else {
      throw Problem("Two sections of the offer have the same mid; give each section its own a=mid.")
    }
  }

  private static func section(_ line: String) throws(Problem) -> Section {
    let words = line.split(separator: " ").map { String($0) }
    guard words.count >= 4, let port = Int(words[1].prefix { $0 != "/" }),
      (0...65_535).contains(port)
    else {
      throw Problem("Each m= line of the offer must name a kind, a port, a protocol and formats.")
    }
    return Section(kind: words[0], port: port, transport: words[2], formats: Array(words[3...]))
  }
}
