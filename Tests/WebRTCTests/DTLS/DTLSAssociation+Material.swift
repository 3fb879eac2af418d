@testable import SRTP
@testable import WebRTC

extension DTLSAssociation {
  /// The client key, server key, client salt and server salt, as exported by DTLS (RFC 5764, §4.2).
  var keyingMaterial: [UInt8] {
    [keys.client.key, keys.server.key, keys.client.salt, keys.server.salt]
      .flatMap { part in part.withBytes { Array($0) } }
  }
}
