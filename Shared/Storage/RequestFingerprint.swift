internal import Crypto

/// Tells whether two requests that carry the same client request token are the same request.
public struct RequestFingerprint: Hashable, Sendable {
  let bytes: [UInt8]

  /// - Parameter canonicalForm: The operation and all members of its body as values, in one
  ///   canonical spelling: order of members and absent members must not matter, order in lists
  ///   must.
  public init(of canonicalForm: [UInt8]) {
    bytes = Array(SHA256.hash(data: canonicalForm))
  }
}
