/// The result of an offer and its answer (RFC 3264): the offerer's transport, and each section with
/// all lines of the offer that belong to this section.
public struct NegotiatedMedia: Hashable, Sendable {
  /// The offerer's credentials, fingerprints, role and candidates.
  public private(set) var transport: OfferedTransport

  /// Attributes of the offer's session, in order, without `a=`.
  public private(set) var attributes: [String]

  /// Whether packets may have header extensions in the two-byte form (RFC 8285, section 6).
  public let allowsMixedExtensions: Bool

  /// All sections of the offer in order, including the sections that the answer rejects.
  public private(set) var sections: [NegotiatedSection]

  /// The mids of the accepted sections, which share one transport (RFC 9143).
  public var bundle: [String] { sections.filter(\.isTaken).map(\.mid) }

  /// The meanings of header-extension numbers in the packets of this connection.
  public private(set) var extensions = ExtensionMap()

  /// Decides which sections, codecs and header extensions an answer accepts.
  ///
  /// - Parameters:
  ///   - tracks: The video tracks that this side sends.
  ///   - former: The result of the session's last offer. The header extension numbers of this
  ///     result remain valid for offers of the same connection, that is, for offers with the same
  ///     ICE username fragment.
  /// - Throws: The reason why this side cannot answer the offer.
  public init(
    answering offer: SDPOffer, sending tracks: [VideoTrack] = [],
    after former: NegotiatedMedia? = nil
  ) throws(SDPOffer.Problem) {
    let bundled = Set(offer.bundle)
    let plan = OfferedVideoSections(offer, tracks)
    sections = offer.sections.enumerated().map { index, section in
      NegotiatedSection(section, bundled: bundled, plan.role(of: index))
    }
    transport = try OfferedTransport(offer, sections.filter(\.isTaken).map(\.offered))
    attributes = offer.attributes
    allowsMixedExtensions = offer.attributes.contains(Self.mixedExtensions)
    if let former, former.isSameConnection(as: self) { extensions = former.extensions }
    for section in sections { try extensions.add(section) }
  }

  /// The attribute that allows header extensions in the two-byte form.
  static let mixedExtensions = "extmap-allow-mixed"

  /// The section in which the browser sends video; `nil` if the browser sends no video.
  public var sentVideo: NegotiatedSection? {
    sections.first { $0.kind == "video" && $0.isReceiving }
  }

  /// The codecs that the answer accepts and that the browser decodes, in the browser's order.
  ///
  /// A receive-only section lists the codecs that the browser decodes. The section of a camera may
  /// list only the codecs that the browser encodes. So this property reads the section of a camera
  /// only if the offer has no receive-only section.
  public var decodedCodecs: [NegotiatedCodec] {
    let videos = sections.filter { $0.isTaken && $0.kind == "video" }
    let section = videos.first { $0.isOnlyReceiver } ?? videos.first
    return section?.codecs.filter { $0.isTaken && $0.repeatedType == nil } ?? []
  }

  /// The tracks that this side sends, with their sections.
  public var tracks: [VideoTrack] {
    sections.compactMap { section in
      section.trackSSRC.map { VideoTrack(ssrc: $0, mid: section.mid) }
    }
  }

  /// Removes the parts that only the answer's text needs: the offer's lines, its candidates, and
  /// the sections and codecs that the answer rejects.
  ///
  /// A connection keeps the other parts until its end.
  public mutating func forgetText() {
    attributes = []
    transport.forgetCandidates()
    sections.removeAll { !$0.isTaken }
    for index in sections.indices { sections[index].forgetText() }
  }

  /// Returns whether another offer belongs to the same connection, and not to a client that
  /// reconnected.
  public func isSameConnection(as other: NegotiatedMedia) -> Bool {
    transport.credentials.fragment == other.transport.credentials.fragment
  }
}
