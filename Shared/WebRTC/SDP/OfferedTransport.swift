/// The offerer's identity and addresses on the network.
///
/// All sections that an answer accepts share one transport (RFC 9143), so an offer has one
/// transport.
public struct OfferedTransport: Hashable, Sendable {
  /// The role that the offerer takes in DTLS (RFC 8842, §5).
  public enum Setup: String, Hashable, Sendable {
    /// The offerer sends the ClientHello.
    case active
    /// The offerer waits for the ClientHello.
    case passive
    /// The offerer accepts either role.
    case either = "actpass"
  }

  /// The offerer's ICE credentials.
  public let credentials: ICECredentials

  /// The values of `a=fingerprint`, at least one: `sha-256 4A:AD:…`.
  ///
  /// The offerer's certificate must match one of these fingerprints.
  public let fingerprints: [String]

  /// The role that the offerer takes in DTLS.
  public let setup: Setup

  /// The candidates of all accepted sections, in order.
  ///
  /// A lite side does not need the candidates.
  public private(set) var candidates: [OfferedCandidate]

  /// This side's role in DTLS.
  public var localRole: DTLSRole { setup == .passive ? .client : .server }

  /// Removes the candidates.
  mutating func forgetCandidates() { candidates = [] }

  /// - Throws: A problem that names the missing part of the offer.
  init(_ offer: SDPOffer, _ sections: [SDPOffer.Section]) throws(SDPOffer.Problem) {
    guard let first = sections.first else {
      throw SDPOffer.Problem(
        "The offer has no section for audio or video that media supports; offer one.")
    }
    credentials = try Self.credentials(of: offer, first)
    fingerprints = offer.values("fingerprint", of: first)
    guard !fingerprints.isEmpty else {
      throw SDPOffer.Problem("The offer has no fingerprint of a certificate; add a=fingerprint.")
    }
    setup = try Self.setup(of: offer, first)
    candidates = sections.flatMap { $0.values("candidate").compactMap { OfferedCandidate($0) } }
  }

  private static func credentials(
    of offer: SDPOffer, _ section: SDPOffer.Section
  ) throws(SDPOffer.Problem) -> ICECredentials {
    guard let fragment = offer.value("ice-ufrag", of: section),
      (4...256).contains(fragment.utf8.count),
      let password = offer.value("ice-pwd", of: section), (22...256).contains(password.utf8.count)
    else {
      throw SDPOffer.Problem(
        "The offer has no valid ICE credentials; add a=ice-ufrag and a=ice-pwd.")
    }
    return ICECredentials(fragment: fragment, password: password)
  }

  private static func setup(
    of offer: SDPOffer, _ section: SDPOffer.Section
  ) throws(SDPOffer.Problem) -> Setup {
    guard let setup = Setup(rawValue: offer.value("setup", of: section) ?? "") else {
      throw SDPOffer.Problem("The offer must contain a=setup with active, passive or actpass.")
    }
    return setup
  }
}

/// An address at which this side may reach the offerer (RFC 8839, §5.1).
public struct OfferedCandidate: Hashable, Sendable {
  /// 1 for RTP, 2 for RTCP.
  public let component: Int

  /// The transport in lower case, `udp` or `tcp`.
  public let transport: String

  /// The rank that the offerer assigns to this candidate. ICE prefers a candidate with a higher
  /// number.
  public let priority: UInt32

  /// An IP address, or a name that only the offerer's network knows (`….local`).
  public let host: String

  /// The port; 9 for TCP candidates that only open connections.
  public let port: UInt16

  /// `host`, `srflx`, `prflx` or `relay`.
  public let kind: String

  /// The whole value of `a=candidate`.
  public let text: String

  /// Reads the value of `a=candidate`; `nil` if the value is malformed.
  init?(_ value: String) {
    let words = value.split(separator: " ")
    guard words.count >= 8, let component = Int(words[1]), let priority = UInt32(words[3]),
      let port = UInt16(words[5]), words[6] == "typ"
    else { return nil }
    (self.component, transport, self.priority) = (component, words[2].lowercased(), priority)
    (host, self.port, kind) = (String(words[4]), port, String(words[7]))
    text = value
  }
}
