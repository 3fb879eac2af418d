/// A request's signature and the signature's parameters, parsed but not yet verified.
public struct UnverifiedSignature: Hashable, Sendable {
  /// The id of the access key with which the client claims to have signed the request.
  public let keyID: String
  let scope: CredentialScope

  /// The names of the signed headers, in lower case, sorted and without duplicates.
  let signedHeaders: [String]

  /// The signature: 64 hexadecimal digits.
  let signature: String
  let time: SigningTime

  /// The first word of every `Authorization` header.
  static let algorithm = "AWS4-HMAC-SHA256"

  /// Parses a request's `Authorization` header and time stamp.
  ///
  /// - Throws: ``SignatureError/missing(_:)`` if the request has no signature;
  ///   ``SignatureError/incomplete(_:)`` for a malformed header or time stamp;
  ///   ``SignatureError/unrecognized(_:)`` for a session token, because Carillon issues none.
  public init(_ request: SignableRequest) throws(SignatureError) {
    let headers = request.values(of: "authorization")
    guard let header = headers.first else { throw Self.unsigned(request) }
    guard headers.count == 1 else {
      throw .incomplete("The request must have only one Authorization header.")
    }
    let parts = try Self.parts(of: header)
    let credential = parts.credential.split(separator: "/", omittingEmptySubsequences: false)
    guard credential.count == 5, let scope = CredentialScope(parts: credential[1...]),
      Self.isKeyID(credential[0])
    else {
      throw .incomplete(
        "Credential must be <key id>/<yyyymmdd>/<region>/<service>/aws4_request.")
    }
    let names = parts.signedHeaders.split(separator: ";", omittingEmptySubsequences: false)
    guard names.allSatisfy(Self.isHeaderName), zip(names, names.dropFirst()).allSatisfy({ $0 < $1 })
    else {
      throw .incomplete(
        "SignedHeaders must be header names in lower case, sorted, and each only once.")
    }
    guard parts.signature.utf8.count == 64, parts.signature.allSatisfy(\.isHexDigit) else {
      throw .incomplete("Signature must be 64 hexadecimal digits.")
    }
    time = try Self.time(of: request)
    guard request.values(of: "x-amz-security-token").isEmpty else {
      throw .unrecognized(
        """
        Carillon issues no session tokens; sign with an access key, and send no \
        X-Amz-Security-Token.
        """)
    }
    keyID = String(credential[0])
    self.scope = scope
    signedHeaders = names.map { String($0) }
    signature = String(parts.signature)
  }

  private static func unsigned(_ request: SignableRequest) -> SignatureError {
    let names = request.query.split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
    return names.contains("x-amz-signature")
      ? .missing(
        "Carillon accepts no pre-signed URLs; sign the request in its Authorization header.")
      : .missing("The request has no Authorization header; sign it with an access key.")
  }

  private static func parts(
    of header: String
  ) throws(SignatureError) -> (
    credential: Substring, signedHeaders: Substring, signature: Substring
  ) {
    let words = header.split(separator: " ", maxSplits: 1)
    guard words.count == 2, words[0] == Self.algorithm else {
      throw .incomplete("The Authorization header must begin with \(Self.algorithm).")
    }
    var found: [Substring: Substring] = [:]
    for part in words[1].split(separator: ",", omittingEmptySubsequences: false) {
      let sides = part.drop { $0 == " " }.split(
        separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard sides.count == 2, found.updateValue(sides[1], forKey: sides[0]) == nil else {
        throw .incomplete(
          "Each part of the Authorization header must be NAME=VALUE, and each name must occur once."
        )
      }
    }
    guard found.count == 3, let credential = found["Credential"],
      let signedHeaders = found["SignedHeaders"], let signature = found["Signature"]
    else {
      throw .incomplete(
        "The Authorization header must have Credential, SignedHeaders and Signature.")
    }
    return (credential, signedHeaders, signature)
  }

  private static func time(of request: SignableRequest) throws(SignatureError) -> SigningTime {
    let stamps = request.values(of: "x-amz-date")
    let dates = request.values(of: "date")
    let time =
      switch (stamps.count, dates.count) {
      case (1, _): SigningTime(stamp: stamps[0])
      case (0, 1): SigningTime(dateHeader: dates[0])
      default: SigningTime?.none
      }
    guard let time else {
      throw .incomplete(
        "The request must have one header X-Amz-Date, of the form yyyymmddThhmmssZ.")
    }
    return time
  }

  private static func isKeyID(_ text: Substring) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.allSatisfy { isLetterOrDigit($0) || $0 == UInt8(ascii: "_") }
  }

  /// Returns whether a name is a token (RFC 9110, section 5.6.2) without capital letters.
  private static func isHeaderName(_ name: Substring) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        (isLetterOrDigit(byte) || Array("!#$%&'*+-.^_`|~".utf8).contains(byte))
          && !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      }
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
