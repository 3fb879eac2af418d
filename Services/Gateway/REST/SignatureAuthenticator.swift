import Logging
import ServiceHost
import Signing
import Storage

/// The authenticator for requests that clients sign with an access key of the installation.
struct SignatureAuthenticator: RequestAuthenticator {
  let keys: AccessKeyRing
  let verifier: SignatureVerifier

  /// Returns the time in milliseconds since 1970-01-01T00:00:00Z.
  let now: @Sendable () -> Int64
  let logger: Logger

  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
    let signable = SignableRequest(
      method: request.method, path: request.path, query: request.query,
      headers: request.headers.map { SignableRequest.Header($0.name, $0.value) },
      body: request.body)
    let claim: UnverifiedSignature
    do { claim = try UnverifiedSignature(signable) } catch { throw RESTError(error) }
    guard let (key, secret) = try key(claim.keyID) else {
      throw RESTError(
        .unrecognizedClient,
        """
        The access key does not exist, or it is disabled. carillon keys list shows the keys, and \
        carillon keys create creates one.
        """)
    }
    do {
      try verifier.check(claim, of: signable, with: secret, at: now() / 1_000)
    } catch {
      throw RESTError(error)
    }
    return Caller(role: key.role, tenant: key.tenant)
  }

  private func key(
    _ id: String
  ) throws(RESTError) -> (key: AccessKey, secret: SigningSecret)? {
    do { return try keys.key(id) } catch {
      logger.error("The access keys cannot be read", metadata: [LogMetadataKey.error: "\(error)"])
      throw RESTError(error.status)
    }
  }
}

extension RESTError {
  /// Converts the error of a rejected signature to an error for clients.
  init(_ error: SignatureError) {
    switch error {
    case .missing(let message): self.init(.missingAuthenticationToken, message)
    case .incomplete(let message): self.init(.incompleteSignature, message)
    case .unrecognized(let message): self.init(.unrecognizedClient, message)
    case .invalid(let message): self.init(.invalidSignature, message)
    }
  }
}
