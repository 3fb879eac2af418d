import COpenSSL

@testable import WebRTC

/// Returns the hash of an identity's certificate, computed from the certificate's DER; `nil` if the
/// DER is not a certificate.
func fingerprint(_ hash: FingerprintHash, of identity: DTLSIdentity) -> DTLSFingerprint? {
  identity.certificate.withUnsafeBufferPointer { der in
    var start = der.baseAddress
    let certificate = d2i_X509(nil, &start, der.count)
    defer { X509_free(certificate) }
    return DTLSFingerprint(hash, of: certificate)
  }
}
