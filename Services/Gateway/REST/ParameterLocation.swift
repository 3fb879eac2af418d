/// The place of a part in a request.
enum ParameterLocation: Hashable, Sendable {
  case path(PathTemplate.Parameter)
  case body

  /// Parameters of the query.
  case query([String])

  case header(String)

  /// The caller's key or visit. The signature or the token proves the caller's rights.
  case caller

  /// Any place, because the operation itself reads the request.
  case request
}
