/// A section of an offer, and what its answer says of it.
public struct NegotiatedSection: Hashable, Sendable {
  /// The section as the offer has it, with every attribute.
  public let offered: SDPOffer.Section

  /// Whether the answer accepts the section; otherwise it has port 0.
  public let isTaken: Bool

  /// The direction of the answer, seen from this side.
  public let direction: MediaDirection

  /// Payload types in the offer's order; `isTaken` marks those of the answer.
  public let codecs: [NegotiatedCodec]

  /// Header extensions with the offer's numbers and directions. The answer accepts all of them.
  public let extensions: [HeaderExtension]

  /// SSRCs that the offer describes; empty where restriction ids name the streams.
  public let sources: [OfferedSource]

  /// Groups of these SSRCs.
  public let sourceGroups: [SourceGroup]

  /// Streams that packets name by a restriction id.
  public let rids: [OfferedRID]

  /// The layers of one source; `nil` without simulcast.
  public let simulcast: Simulcast?

  /// `audio`, `video` or another word.
  public var kind: String { offered.kind }

  /// The section's id, which packets carry in a header extension; empty without one.
  public var mid: String { offered["mid"] ?? "" }

  /// The ids of the media stream and track that the offerer sends (RFC 8830); `nil` without any.
  public var msid: String? { offered["msid"] }

  /// Values of `a=rtcp-fb:*`, which hold for all payload types.
  public var commonFeedback: [String] {
    offered.values("rtcp-fb").filter { $0.hasPrefix("* ") }.map { String($0.dropFirst(2)) }
  }

  /// - Parameter bundled: The mids that share one transport.
  init(_ section: SDPOffer.Section, bundled: Set<String>) {
    offered = section
    isTaken = Self.isTaken(section, bundled)
    direction = Self.direction(of: section)
    codecs = NegotiatedCodec.all(of: section)
    extensions = section.values("extmap").compactMap { HeaderExtension($0) }
    sources = OfferedSource.all(of: section)
    sourceGroups = section.values("ssrc-group").compactMap { SourceGroup($0) }
    rids = section.values("rid").compactMap { OfferedRID($0) }
    simulcast = section["simulcast"].map { Simulcast($0) }
  }

  /// Port 0 rejects a section, except where the section shares another one's transport.
  private static func isTaken(_ section: SDPOffer.Section, _ bundled: Set<String>) -> Bool {
    guard section.kind == "audio" || section.kind == "video",
      section.transport == "UDP/TLS/RTP/SAVPF", let mid = section["mid"], bundled.contains(mid)
    else { return false }
    return section.port != 0 || section["bundle-only"] != nil
  }

  /// All browsers get one mix; pictures of browsers are not carried yet.
  private static func direction(of section: SDPOffer.Section) -> MediaDirection {
    section.kind == "audio" ? section.direction.reversed : .inactive
  }
}
