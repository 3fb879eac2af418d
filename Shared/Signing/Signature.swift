internal import Crypto

/// Computes AWS Signature Version 4, which the published interface requires.
enum Signature {
  /// Signs a canonical request.
  ///
  /// - Returns: 64 lower-case hexadecimal digits.
  static func text(
    of canonical: CanonicalRequest, at time: SigningTime, in scope: CredentialScope,
    with secret: SigningSecret
  ) -> String {
    let hash = CanonicalRequest.hash(of: Array(canonical.text.utf8))
    let stringToSign = [UnverifiedSignature.algorithm, time.text, scope.text, hash]
      .joined(separator: "\n")
    let steps = [scope.date, scope.region, scope.service, scope.terminator, stringToSign]
    let code = steps.reduce(Array("AWS4\(secret.text)".utf8)) { key, step in
      Array(HMAC<SHA256>.authenticationCode(for: Array(step.utf8), using: SymmetricKey(data: key)))
    }
    return CanonicalRequest.hexadecimal(code)
  }
}
