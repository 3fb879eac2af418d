internal import MeetingModel

/// Verifies that the client signed the whole request with a secret, and that the time stamp differs
/// from the current time by at most the tolerance. The verifier does no I/O.
///
/// This module contains a verifier because Swift libraries sign requests but do not verify them.
/// swift-crypto computes the hashes and authentication codes.
public struct SignatureVerifier: Sendable {
  /// The maximum difference between the time stamp and the current time, in either direction.
  public var tolerance: Duration

  /// The accepted regions; empty to accept every region.
  public var regions: Set<String>

  /// Creates a verifier.
  public init(tolerance: Duration = .seconds(300), regions: Set<String> = []) {
    (self.tolerance, self.regions) = (tolerance, regions)
  }

  /// Checks the scope, the signed headers, the time stamp and the signature of a request.
  ///
  /// - Parameters:
  ///   - secret: The secret of the key that `claim` names.
  ///   - now: The current time, in seconds since 1970-01-01T00:00:00Z.
  /// - Throws: ``SignatureError/invalid(_:)``. The text of this error does not reveal the expected
  ///   signature.
  public func check(
    _ claim: UnverifiedSignature, of request: SignableRequest, with secret: SigningSecret,
    at now: Int64
  ) throws(SignatureError) {
    try checkScope(claim)
    try checkHeaders(claim, request)
    let age = Duration.seconds(now) - .seconds(claim.time.seconds)
    guard max(age, .zero - age) <= tolerance else {
      throw .invalid(
        """
        The time stamp \(claim.time.text) differs too much from the gateway's clock, \
        \(SigningTime(seconds: now).text); correct the clock that is wrong.
        """)
    }
    let canonical = CanonicalRequest(of: request, signing: claim.signedHeaders)
    let expected = Signature.text(of: canonical, at: claim.time, in: claim.scope, with: secret)
    guard ConstantTime.areEqual(Array(expected.utf8), Array(claim.signature.utf8)) else {
      throw .invalid(
        """
        The signature does not match the request. Check the secret, and that no proxy changes the \
        Host header, the path or the body.
        """)
    }
  }

  private func checkScope(_ claim: UnverifiedSignature) throws(SignatureError) {
    let scope = claim.scope
    guard scope.date == claim.time.date else {
      throw .invalid(
        """
        The date of the scope, \(scope.date), must be the date of the time stamp, \
        \(claim.time.date).
        """)
    }
    guard scope.service == CredentialScope.controlService else {
      throw .invalid("The scope must be for the service \(CredentialScope.controlService).")
    }
    guard scope.terminator == CredentialScope.requestTerminator else {
      throw .invalid("The scope must end in \(CredentialScope.requestTerminator).")
    }
    guard scope.hasWellFormedRegion, regions.isEmpty || regions.contains(scope.region) else {
      throw .invalid(
        """
        This gateway does not accept the region \(scope.region) of the scope; see its \
        --signing-regions.
        """)
    }
  }

  private func checkHeaders(
    _ claim: UnverifiedSignature, _ request: SignableRequest
  ) throws(SignatureError) {
    guard claim.signedHeaders.contains("host") else {
      throw .invalid("The header host must be signed.")
    }
    guard
      claim.signedHeaders.contains("x-amz-date") || request.values(of: "x-amz-date").isEmpty
    else { throw .invalid("The header x-amz-date must be signed.") }
    for name in claim.signedHeaders where request.values(of: name).isEmpty {
      throw .invalid(
        "The request has no header \(name), which its signature covers; send the header.")
    }
    let hash = CanonicalRequest.hash(of: request.body)
    guard request.values(of: "x-amz-content-sha256").allSatisfy({ $0 == hash }) else {
      throw .invalid("X-Amz-Content-SHA256 must be the SHA-256 hash of the body as it was sent.")
    }
  }
}
