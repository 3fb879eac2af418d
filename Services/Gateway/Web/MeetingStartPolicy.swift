import MeetingModel

/// The rule that decides who may start meetings from the page without an access key.
enum MeetingStartPolicy: Hashable, Sendable {
  /// Only callers with an access key may start meetings.
  case closed

  /// Anyone on this machine may start meetings.
  case open

  /// Anyone who has this key may start meetings.
  case key([UInt8])

  /// The name of the mode in answers to the page.
  var name: String {
    switch self {
    case .closed: "off"
    case .open: "open"
    case .key: "key"
    }
  }

  /// The prefix of the paths of the page's operations.
  static let path = "/carillon/v1/web/"

  /// The prefix of the paths of all operations that the operator's page may use.
  static let operatorPath = "/carillon/v1/"

  /// The path of the operation that joins a meeting.
  static let joinPath = path + "join"
}

/// The authenticator for requests of the page. It authenticates requests by the lobby's rule or by
/// the operator's key, and passes all other requests to the next authenticator.
///
/// The lobby admits visitors who start and join meetings. A request with the operator's key has all
/// roles, for paths below `/carillon/v1/` only. A browser never gets an access key for signing.
struct LobbyAuthenticator: RequestAuthenticator {
  let lobby: MeetingStartPolicy

  /// The key that the operator's page sends; `nil` if there is none. Without a key, requests of the
  /// operator's page need a signature.
  var operatorKey: [UInt8]?
  let others: any RequestAuthenticator

  func authenticate(_ request: RESTRequest) async throws(RESTError) -> Caller {
    guard request.path.hasPrefix(MeetingStartPolicy.operatorPath) else {
      return try await others.authenticate(request)
    }
    let bearer = Self.bearer(of: request).map { Array($0.utf8) }
    if let operatorKey, let bearer, ConstantTime.areEqual(bearer, operatorKey) { return .anybody }
    if request.path.hasPrefix(MeetingStartPolicy.path),
      let visit = try visit(of: request, with: bearer)
    {
      return .visitor(visit)
    }
    return try await others.authenticate(request)
  }

  /// Returns the rights of the visitor who sent a page's request; `nil` if the lobby does not admit
  /// the visitor.
  private func visit(
    of request: RESTRequest, with bearer: [UInt8]?
  ) throws(RESTError) -> VisitorRole? {
    switch lobby {
    case .closed: return nil
    case .open: return Self.isFromOwnPage(request) ? .host : nil
    case .key(let key):
      guard let bearer else { return request.header("Authorization") == nil ? .guest : nil }
      if ConstantTime.areEqual(bearer, key) { return .host }
      // On other paths, the bearer token is an attendee's join token.
      guard request.path != MeetingStartPolicy.joinPath else {
        throw RESTError(
          .forbidden, "This is not the lobby's key. Ask whoever runs this server for the key.")
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

  /// Returns whether a request is from a page of this gateway, opened on this machine.
  ///
  /// Any page that a user of this machine opens could send requests to this port, even with a host
  /// name that resolves to this machine. So `Host` must be a loopback name. If the request has an
  /// `Origin` header, that header must match this name. If the request has a `Sec-Fetch-Site`
  /// header, that header must not name another site.
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
