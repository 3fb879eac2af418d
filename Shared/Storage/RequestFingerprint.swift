internal import Crypto

/// A fingerprint that shows whether two requests with the same client request token are equal.
public struct RequestFingerprint: Hashable, Sendable {
  let bytes: [UInt8]

  /// - Parameter canonicalForm: The operation and the values of all body members in one canonical
  ///   form. The form must not depend on the order of members or on absent members, but must depend
  ///   on the order in lists.
  public init(of canonicalForm: [UInt8]) {
    bytes = Array(SHA256.hash(data: canonicalForm))
  }
}
