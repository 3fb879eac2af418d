/// Which pages may use the gateway from a browser: those that it serves, and those that the
/// operator names.
struct OriginPolicy: Hashable, Sendable {
  /// Origins as browsers write them, such as `https://app.example.org`.
  let allowed: Set<String>

  init(_ allowed: some Sequence<String>) {
    self.allowed = Set(allowed.map { $0.lowercased() })
  }

  /// Whether a page may; whoever names no origin is no page.
  ///
  /// - Parameters:
  ///   - host: The `Host` header of the request, which the gateway's own pages name likewise.
  ///   - hostOnly: The port counts for nothing.
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

  /// Whether the operator has named a page's origin.
  func names(_ origin: String) -> Bool { allowed.contains(origin.lowercased()) }

  private static func name(of authority: String) -> Substring {
    guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
      return authority[...]
    }
    return authority[..<colon]
  }
}
