/// Decides whether a request comes from somebody who may use the API.
///
/// Asked before a request is routed, with everything a signature covers.
protocol RequestAuthenticator: Sendable {
  /// - Returns: Who sends it; what that one may do is not asked here.
  /// - Throws: One of the errors that clients know for this; a refused request has no effect at
  ///   all.
  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller
}

/// Takes every request, signed or not: for `--allow-unsigned`.
///
/// Clients that always sign can be used: what they sign is not looked at. A page in a browser is no
/// client: any page that somebody on this machine opens could send what needs no signature.
/// Browsers say so themselves, by `Origin` (Fetch standard, section 3.2) or by `Sec-Fetch-Site`
/// (Fetch Metadata), also where a name of the page's own was made to mean this machine.
struct UnsignedAuthenticator: RequestAuthenticator {
  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
    let site = request.header("Sec-Fetch-Site") ?? "none"
    guard request.header("Origin") == nil, site == "none" else {
      throw RESTError(.forbidden, "Unsigned requests are not taken from pages in a browser.")
    }
    return .anybody
  }
}
