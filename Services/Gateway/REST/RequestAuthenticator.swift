/// Decides whether a request comes from somebody who may use the API.
///
/// Asked before a request is routed, with everything a signature covers.
protocol RequestAuthenticator: Sendable {
  /// - Throws: One of the errors that clients know for this; a refused request has no effect at
  ///   all.
  func authenticate(_ request: RESTRequest) async throws(RESTError)
}

/// Takes every request, signed or not: for `--allow-unsigned`.
///
/// Clients that always sign can be used: what they sign is not looked at. A page in a browser is no
/// client: any page that somebody on this machine opens could send what needs no signature.
/// Browsers say so themselves, by `Origin` (Fetch standard, section 3.2) or by `Sec-Fetch-Site`
/// (Fetch Metadata), also where a name of the page's own was made to mean this machine.
struct UnsignedAuthenticator: RequestAuthenticator {
  func authenticate(_ request: RESTRequest) async throws(RESTError) {
    let site = request.header("Sec-Fetch-Site") ?? "none"
    guard request.header("Origin") == nil, site == "none" else {
      throw RESTError(.forbidden, "Unsigned requests are not taken from pages in a browser.")
    }
  }
}

/// Takes no request: this gateway has no keys to check signatures with.
struct RefusingAuthenticator: RequestAuthenticator {
  func authenticate(_ request: RESTRequest) async throws(RESTError) {
    guard request.header("Authorization") != nil else {
      throw RESTError(
        .missingAuthenticationToken,
        "The request is not signed; sign it, or start the gateway with --allow-unsigned.")
    }
    throw RESTError(
      .unrecognizedClient,
      "This gateway has no keys to check signatures with; start it with --allow-unsigned.")
  }
}
