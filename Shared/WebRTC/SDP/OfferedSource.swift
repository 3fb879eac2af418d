/// An SSRC that the offer describes (RFC 5576, §4.1).
public struct OfferedSource: Hashable, Sendable {
  /// The number that identifies the source in packets.
  public let ssrc: UInt32

  /// The attributes of the source in order, without the number: `cname:…`, `msid:…`.
  public internal(set) var attributes: [String]

  /// The name that all sources of one sender share (RFC 3550, §6.5.1); `nil` if the offer contains
  /// no such name.
  public var cname: String? { value("cname") }

  /// The ids of the media stream and its track (RFC 8830); `nil` if the offer contains no such ids.
  public var msid: String? { value("msid") }

  private func value(_ name: String) -> String? {
    attributes.first { $0.hasPrefix(name + ":") }.map { String($0.dropFirst(name.count + 1)) }
  }

  /// Reads the sources of a section, in the order in which the offer first names each source.
  static func all(of section: SDPOffer.Section) -> [OfferedSource] {
    var sources: [OfferedSource] = []
    for line in section.values("ssrc") {
      guard let (ssrc, attribute) = Self.parts(of: line) else { continue }
      if let known = sources.firstIndex(where: { $0.ssrc == ssrc }) {
        sources[known].attributes.append(attribute)
      } else if sources.count < mostSources {
        sources.append(OfferedSource(ssrc: ssrc, attributes: [attribute]))
      }
    }
    return sources
  }

  /// The maximum number of sources in a section. Browsers offer fewer sources.
  ///
  /// Without this limit, parsing a section of 256 KiB would take quadratic time.
  private static let mostSources = 32

  private static func parts(of line: String) -> (UInt32, String)? {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let ssrc = UInt32(words[0]) else { return nil }
    return (ssrc, String(words[1]))
  }
}

/// SSRCs that belong together (RFC 5576, §4.2).
public struct SourceGroup: Hashable, Sendable {
  /// The meaning of the group: `FID` for a source and its retransmissions, `SIM` for layers.
  public let semantics: String

  /// The SSRCs in order.
  public let ssrcs: [UInt32]

  /// Reads the value of `a=ssrc-group`; `nil` if the value is malformed.
  init?(_ value: String) {
    let words = value.split(separator: " ")
    let ssrcs = words.dropFirst().compactMap { UInt32($0) }
    guard let semantics = words.first, ssrcs.count == words.count - 1 else { return nil }
    (self.semantics, self.ssrcs) = (String(semantics), ssrcs)
  }
}
