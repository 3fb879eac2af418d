import MeetingModel

/// Who may start meetings from the page, without an access key.
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

  /// The operations of the page.
  static let path = "/carillon/v1/web/"

  /// The operations that an operator's page may use, too.
  static let operatorPath = "/carillon/v1/"

  /// The operation by which people come in.
  static let joinPath = path + "join"
}

/// Takes requests of pages as the lobby and the operator's key say, and all others as before.
///
/// Who comes by the lobby starts and joins meetings. Who has the operator's key acts with all roles
/// below `/carillon/v1/`. No key that requests are signed with comes to a browser.
struct LobbyAuthenticator: RequestAuthenticator {
  let lobby: Lobby

  /// What the operator's page sends; `nil`: it has no key, and its requests must be signed.
  var operatorKey: [UInt8]?
  let others: any RequestAuthenticator

  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
    guard request.path.hasPrefix(Lobby.operatorPath) else {
      return try await others.authenticate(request)
    }
    let bearer = Self.bearer(of: request).map { Array($0.utf8) }
    if let operatorKey, let bearer, ConstantTime.areEqual(bearer, operatorKey) { return .anybody }
    if request.path.hasPrefix(Lobby.path), let visit = try visit(of: request, with: bearer) {
      return .visitor(visit)
    }
    return try await others.authenticate(request)
  }

  /// How a request of the page comes in; `nil`: not by the lobby.
  private func visit(
    of request: RESTRequest, with bearer: [UInt8]?
  ) throws(RESTError) -> PageVisit? {
    switch lobby {
    case .closed: return nil
    case .open: return Self.isFromOwnPage(request) ? .host : nil
    case .key(let key):
      guard let bearer else { return request.header("Authorization") == nil ? .guest : nil }
      if ConstantTime.areEqual(bearer, key) { return .host }
      // Elsewhere it is the join token of somebody in the meeting.
      guard request.path != Lobby.joinPath else {
        throw RESTError(.forbidden, "This is not the lobby's key.")
      }
      return .guest
    }
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
