/// Why a signature is not taken, by what clients are told of it.
public enum SignatureError: Error, Hashable {
  /// The request has no `Authorization` header.
  case missing(String)

  /// The header cannot be read, or there is no time stamp.
  case incomplete(String)

  /// The credentials are of a kind, or of somebody, that is not known here.
  case unrecognized(String)

  /// The signature is not that of this request by this key at this time.
  case invalid(String)
}
