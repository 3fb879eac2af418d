/// The check that a request comes from a caller who may use the API.
///
/// It runs before the operation, on everything that a signature covers.
protocol RequestAuthenticator: Sendable {
  /// Authenticates a request.
  ///
  /// - Returns: The caller; its rights are checked elsewhere.
  /// - Throws: An authentication error that clients know; a refused request has no effect.
  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller
}

/// The authenticator for `--allow-unsigned`, which accepts every request, signed or not.
///
/// Clients that always sign work too: their signatures are ignored. Pages in a browser are
/// rejected, because any page that a user of this machine opens could send unsigned requests.
/// Browsers identify their requests by `Origin` (Fetch standard, section 3.2) or `Sec-Fetch-Site`
/// (Fetch Metadata). They do so even if the page's own host name resolves to this machine.
struct UnsignedAuthenticator: RequestAuthenticator {
  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
    let site = request.header("Sec-Fetch-Site") ?? "none"
    guard request.header("Origin") == nil, site == "none" else {
      throw RESTError(.forbidden, "Unsigned requests are not taken from pages in a browser.")
    }
    return .anybody
  }
}
