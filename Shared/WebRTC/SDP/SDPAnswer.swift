/// The answerer's side of an offer/answer exchange (RFC 8829, §5.3): its addresses and its
/// identity.
public struct SDPAnswer: Sendable {
  /// The addresses to which browsers send. The answer contains one candidate for each address.
  public let addresses: [UDPAddress]

  /// The ICE credentials of this side.
  public let credentials: ICECredentials

  /// The value of `a=fingerprint`: the hash's name, a space and the certificate's fingerprint.
  public let fingerprint: String

  /// Numbers that distinguish this answer from other answers of the same session (RFC 8866, §5.2).
  public let origin: (session: UInt64, version: UInt64)

  /// The source of the audio that this side sends (RFC 5576, §4.1); `nil` if the answer names no
  /// source.
  ///
  /// In a bundle, Chromium drops packets that have an unknown source and no MID.
  public let ssrc: UInt32?

  /// - Parameters:
  ///   - addresses: The addresses to which browsers send. The answer contains one candidate for
  ///     each address.
  ///   - credentials: The ICE credentials of this side.
  ///   - fingerprint: The value of `a=fingerprint`.
  ///   - origin: The session's number, and the answer's number within the session.
  ///   - ssrc: The source of the audio that this side sends.
  public init(
    addresses: [UDPAddress], credentials: ICECredentials, fingerprint: String,
    origin: (session: UInt64, version: UInt64), ssrc: UInt32? = nil
  ) {
    (self.addresses, self.credentials) = (addresses, credentials)
    (self.fingerprint, self.origin, self.ssrc) = (fingerprint, origin, ssrc)
  }

  /// Answers an offer. The answer mirrors every m-line and accepts every header extension.
  ///
  /// - Parameters:
  ///   - tracks: The video tracks that this side sends.
  ///   - former: The result of the session's last offer.
  /// - Returns: The result of the negotiation, which ``text(of:)`` renders.
  /// - Throws: The reason why this side cannot answer the offer.
  public func negotiate(
    _ offer: SDPOffer, sending tracks: [VideoTrack] = [], after former: NegotiatedMedia? = nil
  ) throws(SDPOffer.Problem) -> NegotiatedMedia {
    try NegotiatedMedia(answering: offer, sending: tracks, after: former)
  }

  /// Returns the answer's text, with CRLF at the end of each line.
  public func text(of media: NegotiatedMedia) -> String {
    let lines = session(media) + media.sections.flatMap { section($0, of: media) }
    return lines.joined(separator: "\r\n") + "\r\n"
  }

  private func session(_ media: NegotiatedMedia) -> [String] {
    [
      "v=0", "o=- \(origin.session) \(origin.version) IN IP4 127.0.0.1", "s=-", "t=0 0",
      "a=group:BUNDLE " + media.bundle.joined(separator: " "), "a=ice-lite",
    ] + (media.allowsMixedExtensions ? ["a=\(NegotiatedMedia.mixedExtensions)"] : [])
      + ["a=msid-semantic: WMS *"]
  }

  // MARK: Sections

  private func section(_ section: NegotiatedSection, of media: NegotiatedMedia) -> [String] {
    guard section.isTaken else { return Self.rejection(of: section.offered) }
    let codecs = section.codecs.filter(\.isTaken)
    return self.media(section, codecs) + transport(section, media.transport.localRole) + candidates
      + section.extensions.map { "a=extmap:" + $0.reversed } + direction(section)
      + codecs.flatMap { Self.lines(of: $0) }
  }

  private static func rejection(of section: SDPOffer.Section) -> [String] {
    let formats = section.formats.joined(separator: " ")
    return ["m=\(section.kind) 0 \(section.transport) \(formats)", "c=IN IP4 0.0.0.0"]
      + (section["mid"].map { ["a=mid:\($0)"] } ?? []) + ["a=inactive"]
  }

  /// Returns the m-line and the c-line.
  ///
  /// An m-line needs a format. If the answer accepts no format, the m-line has the offer's first
  /// format.
  private func media(_ section: NegotiatedSection, _ codecs: [NegotiatedCodec]) -> [String] {
    let types = codecs.map { "\($0.payloadType)" }
    let formats = types.isEmpty ? Array(section.offered.formats.prefix(1)) : types
    let address = addresses.first
    return [
      "m=\(section.kind) \(address?.port ?? 9) \(section.offered.transport) "
        + formats.joined(separator: " "),
      "c=IN \(address?.host.count == 16 ? "IP6" : "IP4") \(address?.text ?? "0.0.0.0")",
    ]
  }

  private func transport(_ section: NegotiatedSection, _ role: DTLSRole) -> [String] {
    [
      // The mid precedes the direction, because WebRTC clients in C++ read the answer line by line.
      "a=mid:\(section.mid)",
      "a=ice-ufrag:\(credentials.fragment)", "a=ice-pwd:\(credentials.password)",
      "a=fingerprint:\(fingerprint)", "a=setup:\(role == .client ? "active" : "passive")",
      "a=rtcp-mux",
    ] + (section.offered["rtcp-rsize"] == nil ? [] : ["a=rtcp-rsize"])
  }

  private var candidates: [String] {
    addresses.enumerated().map { index, address in
      let priority = 2_130_706_431 - 256 * UInt32(index)
      return "a=candidate:\(index + 1) 1 udp \(priority) \(address.text) \(address.port) typ host"
    }
  }

  /// Returns the direction, and the streams that this side sends and receives.
  private func direction(_ section: NegotiatedSection) -> [String] {
    ["a=\(section.direction.rawValue)"] + sent(in: section) + Self.layers(of: section)
  }

  /// Returns the name of the mix or of a track.
  ///
  /// Clients find the section of a track by the id of its stream (`v_` and the mid). The section of
  /// a camera has no name, because this side sends nothing in that section.
  private func sent(in section: NegotiatedSection) -> [String] {
    if let track = section.trackSSRC { return Self.track(track, in: section) }
    let sends = section.direction == .sendReceive || section.direction == .sendOnly
    guard sends, section.kind == "audio" else { return [] }
    return ["a=msid:carillon mix"] + (ssrc.map { ["a=ssrc:\($0) cname:carillon"] } ?? [])
  }

  private static func track(_ ssrc: UInt32, in section: NegotiatedSection) -> [String] {
    let (name, repair) = ("v_\(section.mid)", VideoTrack.repairSSRC(of: ssrc))
    let repeats = section.codecs.contains { $0.isTaken && $0.repeatedType != nil }
    return ["a=msid:\(name) \(name)"]
      + (repeats ? ["a=ssrc-group:FID \(ssrc) \(repair)"] : [])
      + ["a=ssrc:\(ssrc) cname:carillon"] + (repeats ? ["a=ssrc:\(repair) cname:carillon"] : [])
  }

  /// Returns the layers that this side receives (RFC 8853, §5.3).
  private static func layers(of section: NegotiatedSection) -> [String] {
    let ids = section.receivedRIDs
    guard !ids.isEmpty else { return [] }
    return ids.map { "a=rid:\($0) recv" } + ["a=simulcast:recv \(ids.joined(separator: ";"))"]
  }

  private static func lines(of codec: NegotiatedCodec) -> [String] {
    (codec.encoding.map { ["a=rtpmap:\(codec.payloadType) \($0)"] } ?? [])
      + (codec.parameters.map { ["a=fmtp:\(codec.payloadType) \($0)"] } ?? [])
      + codec.takenFeedback.map { "a=rtcp-fb:\(codec.payloadType) \($0)" }
  }
}
