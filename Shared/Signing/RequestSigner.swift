/// Signs requests with AWS Signature Version 4, as clients of the published interface do.
public struct RequestSigner: Sendable {
  /// The public half of the access key.
  public let keyID: String
  private let secret: SigningSecret
  private let region: String

  /// Creates a signer.
  ///
  /// - Parameter region: Any region; a self-hosted endpoint has no region of its own.
  public init(keyID: String, secret: SigningSecret, region: String = "us-east-1") {
    (self.keyID, self.secret, self.region) = (keyID, secret, region)
  }

  /// Returns the headers `X-Amz-Date` and `Authorization` for a request.
  ///
  /// The signed headers are `Host`, `X-Amz-Date`, and `Content-Type` if the request has this
  /// header.
  ///
  /// - Parameter seconds: The time of signing, in seconds since 1970-01-01T00:00:00Z.
  public func headers(
    for request: SignableRequest, at seconds: Int64
  ) -> [SignableRequest.Header] {
    let time = SigningTime(seconds: seconds)
    let stamp = SignableRequest.Header("X-Amz-Date", time.text)
    var request = request
    request.headers.append(stamp)
    let names = ["content-type", "host", "x-amz-date"].filter { !request.values(of: $0).isEmpty }
    let scope = CredentialScope(date: time.date, region: region)
    let signature = Signature.text(
      of: CanonicalRequest(of: request, signing: names), at: time, in: scope, with: secret)
    let authorization =
      "\(UnverifiedSignature.algorithm) Credential=\(keyID)/\(scope.text), "
      + "SignedHeaders=\(names.joined(separator: ";")), Signature=\(signature)"
    return [stamp, SignableRequest.Header("Authorization", authorization)]
  }
}
