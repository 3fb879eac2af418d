/// The keys that protect RTP packets, or RTCP packets, of one direction.
struct SessionKeys {
  /// The size of an HMAC-SHA1 key in bytes (RFC 3711, section 5.2).
  static let authenticationKeyLength = 20

  let profile: ProtectionProfile
  let cipher: SecretBytes
  let salt: SecretBytes
  /// The key of HMAC-SHA1; `nil` if the cipher itself authenticates.
  let authentication: SecretBytes?
}

extension MasterKey {
  /// The session keys of RTP.
  var rtpKeys: SessionKeys { sessionKeys(.rtpCipher, .rtpSalt, .rtpAuthentication) }

  /// The session keys of RTCP.
  var rtcpKeys: SessionKeys { sessionKeys(.rtcpCipher, .rtcpSalt, .rtcpAuthentication) }

  private func sessionKeys(
    _ cipher: SRTPKeyLabel, _ salt: SRTPKeyLabel, _ authentication: SRTPKeyLabel
  ) -> SessionKeys {
    let isAuthenticating = profile != .aes128CMHMACSHA180
    return SessionKeys(
      profile: profile,
      cipher: derive(cipher, count: profile.keyLength),
      salt: derive(salt, count: profile.saltLength),
      authentication: isAuthenticating
        ? nil : derive(authentication, count: SessionKeys.authenticationKeyLength))
  }
}
