/// The place in a request that a part is read from.
enum RequestSource: Hashable, Sendable {
  case path(PathTemplate.Parameter)
  case body

  /// Parameters of the query.
  case query([String])

  case header(String)

  /// The caller's key or visit, as the signature or token proves it.
  case caller

  /// Anywhere: the operation reads the request itself.
  case request
}
