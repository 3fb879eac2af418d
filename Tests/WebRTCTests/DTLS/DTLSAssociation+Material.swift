@testable import SRTP
@testable import WebRTC

extension DTLSAssociation {
  /// Client key, server key, client salt, server salt, as DTLS exports them (RFC 5764, §4.2).
  var keyingMaterial: [UInt8] {
    [keys.client.key, keys.server.key, keys.client.salt, keys.server.salt]
      .flatMap { part in part.withBytes { Array($0) } }
  }
}
