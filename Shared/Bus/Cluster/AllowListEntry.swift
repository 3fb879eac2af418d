public import ZeroMQ

/// One line of an ``AllowList``: a key that may connect, or a revoked key.
public struct AllowListEntry: Hashable, Sendable {
  /// The role for which the key is allowed.
  public let role: PeerKeyRole

  /// The public key.
  public let key: CurveKey

  /// The name of the key's owner in logs and commands: 1-64 letters, digits, `.`, `_` and `-`.
  public let name: String

  /// Whether the line revokes the key.
  public internal(set) var isRevoked = false

  private static let revoked = "revoked"

  /// Makes a line.
  ///
  /// - Throws: ``KeyError/invalidName(_:)``.
  public init(_ role: PeerKeyRole, _ key: CurveKey, name: String) throws(KeyError) {
    guard Self.isName(name) else { throw .invalidName(name) }
    (self.role, self.key, self.name) = (role, key, name)
  }

  /// Reads `ROLE KEY NAME` or `ROLE KEY NAME revoked`. The key is in Z85 (32/Z85), and spaces or
  /// tabs separate the words.
  ///
  /// - Returns: The line, or `nil` for any other text.
  init?(line: Substring.UTF8View) {
    let words = line.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      .map { String(Substring($0)) }
    guard words.count == 3 || (words.count == 4 && words[3] == Self.revoked),
      let role = PeerKeyRole(rawValue: words[0]), let key = CurveKey(text: words[1]),
      let entry = try? AllowListEntry(role, key, name: words[2])
    else { return nil }
    self = entry
    isRevoked = words.count == 4
  }

  /// The line in the form that ``init(line:)`` reads.
  var line: String {
    "\(role.rawValue) \(key.text) \(name)" + (isRevoked ? " " + Self.revoked : "")
  }

  private static func isName(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
          UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}
