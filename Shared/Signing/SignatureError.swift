/// The reason for rejecting a signature. The gateway sends the text of each case to the client.
public enum SignatureError: Error, Hashable {
  /// The request has no `Authorization` header.
  case missing(String)

  /// The header is malformed, or the time stamp is missing or malformed.
  case incomplete(String)

  /// The kind of credentials is not supported, or the access key is unknown.
  case unrecognized(String)

  /// The signature does not match the request, the key and the current time.
  case invalid(String)
}
