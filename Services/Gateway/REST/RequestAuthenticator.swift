/// Checks whether a request is from a caller who may use the API.
///
/// The check runs before the operation. The check covers everything that a signature protects.
protocol RequestAuthenticator: Sendable {
  /// Authenticates a request.
  ///
  /// - Returns: The caller. Other code checks the caller's rights.
  /// - Throws: An authentication error of the published interface. A rejected request has no
  ///   effect.
  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller
}

/// The authenticator for `--allow-unsigned`. It accepts every request, signed or not.
///
/// The authenticator ignores the signatures of clients that always sign. The authenticator rejects
/// pages in a browser, because any page that a user of this machine opens could send unsigned
/// requests. Browsers mark their requests with `Origin` (Fetch standard, section 3.2) or
/// `Sec-Fetch-Site` (Fetch Metadata). Browsers also mark requests of a page whose host name
/// resolves to this machine.
struct UnsignedAuthenticator: RequestAuthenticator {
  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
    let site = request.header("Sec-Fetch-Site") ?? "none"
    guard request.header("Origin") == nil, site == "none" else {
      throw RESTError(
        .forbidden,
        """
        The request comes from a page in a browser and is unsigned. Sign the request, or send it \
        from a program.
        """)
    }
    return .anybody
  }
}
