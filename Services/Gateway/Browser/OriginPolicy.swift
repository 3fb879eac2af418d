/// The pages that may use the gateway from a browser: the gateway's own pages, and the pages that
/// the operator lists.
struct OriginPolicy: Hashable, Sendable {
  /// The allowed origins in the form that browsers send, for example `https://app.example.org`.
  let allowed: Set<String>

  init(_ allowed: some Sequence<String>) {
    self.allowed = Set(allowed.map { $0.lowercased() })
  }

  /// Returns whether a page may use the gateway.
  ///
  /// A request without an origin is not from a page, and may use the gateway.
  ///
  /// - Parameters:
  ///   - host: The `Host` header of the request. For the gateway's own pages, this header equals
  ///     the host in the origin.
  ///   - hostOnly: Whether to ignore the port.
  func admits(_ origin: String?, at host: String, orHostOnly hostOnly: Bool = false) -> Bool {
    guard let origin = origin?.lowercased() else { return true }
    if allowed.contains(origin) { return true }
    guard let scheme = origin.firstRange(of: "://") else { return false }
    let own = host.lowercased()
    let authority = String(origin[scheme.upperBound...])
    guard !own.isEmpty else { return false }
    if authority == own { return true }
    return hostOnly && Self.name(of: authority) == Self.name(of: own)
  }

  /// Returns whether the operator's list contains an origin.
  func names(_ origin: String) -> Bool { allowed.contains(origin.lowercased()) }

  private static func name(of authority: String) -> Substring {
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
      return authority[...]
    }
    return authority[..<colon]
  }
}
