/// The scope of a signing key: `<yyyymmdd>/<region>/<service>/aws4_request`.
public struct CredentialScope: Hashable, Sendable {
  /// The date of the time stamp: `yyyymmdd`.
  public var date: String

  /// The region in the client's configuration.
  public var region: String

  /// The service: `chime` for the operations of the control API.
  public var service = Self.controlService

  /// Always `aws4_request`.
  public var terminator = Self.requestTerminator

  /// The service name in the scope of a request to the control API.
  public static let controlService = "chime"
  static let requestTerminator = "aws4_request"

  /// Creates the scope of a request to the control API.
  public init(date: String, region: String) { (self.date, self.region) = (date, region) }

  /// Parses a scope.
  ///
  /// - Parameter parts: The four parts between the slashes.
  /// - Returns: `nil` unless there are four parts, none of them empty.
  init?(parts: ArraySlice<Substring>) {
    guard parts.count == 4, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    let texts = parts.map { String($0) }
    (date, region, service, terminator) = (texts[0], texts[1], texts[2], texts[3])
  }

  /// The scope as text, in the form of the `Authorization` header and of the string to sign.
  public var text: String { "\(date)/\(region)/\(service)/\(terminator)" }

  /// Whether the region consists of 1-64 characters of `a`-`z`, `0`-`9` and `-`.
  var hasWellFormedRegion: Bool {
    (1...64).contains(region.utf8.count)
      && region.utf8.allSatisfy { byte in
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
          || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
      }
  }
}
