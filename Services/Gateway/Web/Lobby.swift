import MeetingModel

/// Who may make meetings and join them from the page, without an access key.
enum Lobby: Hashable, Sendable {
  /// Nobody.
  case closed

  /// Whoever is on this machine.
  case open

  /// Who knows this.
  case key([UInt8])

  /// What the page is told.
  var name: String {
    switch self {
    case .closed: "off"
    case .open: "open"
    case .key: "key"
    }
  }

  /// The operations that it lets in.
  static let path = "/carillon/v1/"
}

/// Takes requests of the page as the lobby says, and all others as before.
///
/// A page that was let in acts with all roles. No key that requests are signed with comes to a
/// browser.
struct LobbyAuthenticator: RequestAuthenticator {
  let lobby: Lobby
  let others: any RequestAuthenticator

  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
    guard request.path.hasPrefix(Lobby.path) else { return try await others.authenticate(request) }
    switch lobby {
    case .closed: break
    case .open:
      if Self.isFromOwnPage(request) { return .anybody }
    case .key(let key):
      guard let given = Self.bearer(of: request) else { break }
      guard ConstantTime.areEqual(Array(given.utf8), key) else {
        throw RESTError(.forbidden, "This is not the lobby's key.")
      }
      return .anybody
    }
    return try await others.authenticate(request)
  }

  private static func bearer(of request: RESTRequest) -> Substring? {
    guard let value = request.header("Authorization"), value.hasPrefix("Bearer ") else {
      return nil
    }
    return value.dropFirst("Bearer ".count)
  }

  /// Whether a request comes from a page of this gateway, on this machine.
  ///
  /// Any page that somebody here opens could send requests to this port, also under a name of its
  /// own that was made to mean this machine: so the name must be this machine's, and whoever says
  /// where it comes from must say the same.
  static func isFromOwnPage(_ request: RESTRequest) -> Bool {
    guard let host = request.header("Host"),
      let own = PublicURL(authority: host, isSecure: false)
    else { return false }
    let name = own.host.hasPrefix("[") ? String(own.host.dropFirst().dropLast()) : own.host
    guard RESTSettings.isLoopback(name) else { return false }
    if let origin = request.header("Origin"), PublicURL(origin)?.authority != host { return false }
    let site = request.header("Sec-Fetch-Site") ?? "none"
    return site == "none" || site == "same-origin"
  }
}
