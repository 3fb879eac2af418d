/// The place of a part in a request.
enum RequestSource: Hashable, Sendable {
  case path(PathTemplate.Parameter)
  case body

  /// Parameters of the query.
  case query([String])

  case header(String)

  /// The caller's key or visit, which the request's signature or token proves.
  case caller

  /// Anywhere: the operation reads the request itself.
  case request
}
