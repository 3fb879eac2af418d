/// A section of an offer and of the answer to this offer.
public struct NegotiatedSection: Hashable, Sendable {
  /// The offered section with every attribute.
  public private(set) var offered: SDPOffer.Section

  /// Whether the answer accepts the section; a rejected section has port 0 in the answer.
  public let isTaken: Bool

  /// The direction of the answer, seen from this side.
  public let direction: MediaDirection

  /// The payload types in the offer's order.
  ///
  /// `isTaken` marks the payload types of the answer.
  public private(set) var codecs: [NegotiatedCodec]

  /// Header extensions with the offer's numbers and directions. The answer accepts all these
  /// extensions.
  public let extensions: [HeaderExtension]

  /// The SSRCs that the offer describes; empty if restriction ids name the streams.
  public private(set) var sources: [OfferedSource]

  /// Groups of these SSRCs.
  public let sourceGroups: [SourceGroup]

  /// The streams that packets name by a restriction id.
  public let rids: [OfferedRID]

  /// The layers of one source; `nil` if the section has no simulcast.
  public let simulcast: SDPSimulcast?

  /// The source of the video track that this side sends; `nil` if this side sends no track.
  public let trackSSRC: UInt32?

  /// `audio`, `video` or another word.
  public var kind: String { offered.kind }

  /// The section's id, which packets carry in a header extension; empty if the section has no id.
  public var mid: String { offered["mid"] ?? "" }

  /// The ids of the media stream and track that the offerer sends (RFC 8830); `nil` if the offer
  /// contains no such ids.
  public var msid: String? { offered["msid"] }

  /// The values of `a=rtcp-fb:*`, which apply to all payload types.
  public var commonFeedback: [String] {
    offered.values("rtcp-fb").filter { $0.hasPrefix("* ") }.map { String($0.dropFirst(2)) }
  }

  /// The codec in which the browser sends; `nil` if the two sides have no codec in common. An
  /// answer keeps the order of the offer, so the result is the first codec of the browser's list
  /// that the answer accepts (RFC 8829, §5.3.1).
  public var codec: NegotiatedCodec? { codecs.first { $0.isTaken && $0.repeatedType == nil } }

  /// Whether this side receives media in the section.
  public var isReceiving: Bool {
    isTaken && (direction == .sendReceive || direction == .receiveOnly)
  }

  /// The ids of the layers that this side receives, in the order of the offer; at most 3. The list
  /// is empty if the section has no simulcast.
  ///
  /// An id is unique in its section (RFC 8851, section 4). So if the offer repeats an id, this type
  /// uses only the first layer with this id.
  public var receivedRIDs: [String] {
    guard isReceiving, let simulcast else { return [] }
    let sent = Set(rids.filter(\.isSent).map(\.id))
    var layers: [String] = []
    for layer in simulcast.sent where layers.count < Self.mostLayers {
      guard let id = layer.ids.first(where: sent.contains), !layers.contains(id) else { continue }
      layers.append(id)
    }
    return layers
  }

  private static let mostLayers = 3

  /// Whether the browser offers to receive in the section, and not to send.
  var isOnlyReceiver: Bool { offered.direction == .receiveOnly }

  /// - Parameters:
  ///   - bundled: The mids of the sections that share one transport.
  ///   - role: The role of this side in a video section.
  init(_ section: SDPOffer.Section, bundled: Set<String>, _ role: VideoSectionDirection) {
    offered = section
    isTaken = Self.isTaken(section, bundled)
    codecs = NegotiatedCodec.all(of: section)
    let carries = section.kind != "video" || codecs.contains(where: \.isTaken)
    direction = carries ? Self.direction(of: section, role) : .inactive
    trackSSRC = if case .sends(let ssrc) = role, isTaken, carries { ssrc } else { nil }
    extensions = section.values("extmap").compactMap { HeaderExtension($0) }
    sources = OfferedSource.all(of: section)
    sourceGroups = section.values("ssrc-group").compactMap { SourceGroup($0) }
    rids = section.values("rid").compactMap { OfferedRID($0) }
    simulcast = section["simulcast"].map { SDPSimulcast($0) }
  }

  /// Removes the parts that only the answer's text needs.
  mutating func forgetText() {
    offered.forget(but: ["mid", "msid"])
    codecs = codecs.filter(\.isTaken)
    for index in codecs.indices { codecs[index].feedback = codecs[index].takenFeedback }
    for index in sources.indices { sources[index].attributes = [] }
  }

  /// Returns whether the answer accepts a section.
  ///
  /// Port 0 rejects a section, unless the section shares another section's transport.
  private static func isTaken(_ section: SDPOffer.Section, _ bundled: Set<String>) -> Bool {
    guard section.kind == "audio" || section.kind == "video",
      section.transport == "UDP/TLS/RTP/SAVPF", let mid = section["mid"], bundled.contains(mid)
    else { return false }
    return section.port != 0 || section["bundle-only"] != nil
  }

  /// Returns the direction of the answer. For audio, the answer's direction is the reverse of the
  /// offer's direction. For video, the direction depends on this side's role.
  private static func direction(
    of section: SDPOffer.Section, _ role: VideoSectionDirection
  ) -> MediaDirection {
    guard section.kind == "video" else { return section.direction.reversed }
    return switch role {
    case .nothing: .inactive
    case .receives: section.direction.reversed
    case .sends: .sendOnly
    }
  }
}
