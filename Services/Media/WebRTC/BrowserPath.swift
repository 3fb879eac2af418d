import SRTP
import WebRTC

/// The candidate pair of a browser and media: where packets go, and from where.
struct BrowserPath: Hashable, Sendable {
  /// The addresses of media that the answer names, of the browser's family. There are several where
  /// the operator has named several: the system chooses one of them.
  var local: [UDPAddress]

  /// The browser's address.
  var remote: UDPAddress
}

extension BrowserPath: CustomStringConvertible {
  /// Media's addresses first.
  var description: String {
    "\(local.map(\.endpoint).joined(separator: ",")) - \(remote.endpoint)"
  }
}

extension UDPAddress {
  /// The host and the port, as in the authority of a URI.
  fileprivate var endpoint: String { host.count == 16 ? "[\(text)]:\(port)" : "\(text):\(port)" }
}

/// What protects a browser's packets, by the names that OpenSSL has for it.
struct BrowserSecurity: Hashable, Sendable {
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
