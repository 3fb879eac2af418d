import SRTP
import WebRTC

/// The candidate pair of a browser and `media`: the addresses between which packets travel.
struct BrowserCandidatePair: Hashable, Sendable {
  /// The addresses that `media` lists in its SDP answer and that have the same family as the
  /// browser's address.
  ///
  /// If the operator configured several addresses, the kernel chooses the address from which
  /// `media` sends.
  var local: [UDPAddress]

  /// The browser's address.
  var remote: UDPAddress
}

extension BrowserCandidatePair: CustomStringConvertible {
  /// The addresses of `media`, and then the browser's address.
  var description: String {
    "\(local.map(\.endpoint).joined(separator: ",")) - \(remote.endpoint)"
  }
}

extension UDPAddress {
  /// The host and the port, as in the authority of a URI.
  fileprivate var endpoint: String { host.count == 16 ? "[\(text)]:\(port)" : "\(text):\(port)" }
}

/// The protection of a browser's packets. The values are OpenSSL's names.
struct BrowserMediaCiphers: Hashable, Sendable {
  /// The version of DTLS.
  let version: String

  /// The cipher suite of DTLS.
  let cipher: String

  /// The protection profile of SRTP.
  let profile: String

  init(_ association: DTLSAssociation) {
    (version, cipher) = (association.version, association.cipher)
    profile = association.profile.name
  }
}
