/// The greeting of 64 bytes that each side sends first (37/ZMTP, "The greeting").
struct ZMTPGreeting: Hashable {
  static let size = 64

  /// The first and last of ten bytes: `0xFF`, eight bytes without meaning, `0x7F`.
  private static let signature: (first: UInt8, last: UInt8) = (0xff, 0x7f)

  private static let versionOffset = 10
  private static let mechanism = 12..<32
  private static let asServerOffset = 32

  /// The minor version: 0 or 1; this type regards versions above 3.1 as 3.1.
  let minorVersion: UInt8

  /// Returns this side's greeting.
  static func own(_ security: ZMTPSecurity) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size)
    (bytes[0], bytes[9]) = signature
    (bytes[versionOffset], bytes[versionOffset + 1]) = (3, 1)
    let name = Array("\(security.name)".utf8)
    bytes.replaceSubrange(mechanism.prefix(name.count), with: name)
    bytes[asServerOffset] = security.isServer ? 1 : 0
    return bytes
  }

  /// Parses a greeting.
  ///
  /// Ignores the as-server flag, because libzmq never sets it.
  ///
  /// - Parameters:
  ///   - bytes: The first bytes of the greeting, at most ``size``.
  ///   - wanted: The mechanism that the peer must use.
  /// - Returns: `nil` while the greeting is incomplete.
  /// - Throws: This initializer throws an error as soon as the greeting cannot become valid.
  init?(_ bytes: [UInt8], mechanism wanted: StaticString) throws(ZMTPError) {
    if let first = bytes.first, first != Self.signature.first { throw .signature }
    guard bytes.count > 9 else { return nil }
    guard bytes[9] == Self.signature.last else { throw .signature }
    guard bytes.count > Self.versionOffset else { return nil }
    guard bytes[Self.versionOffset] >= 3 else { throw .version(major: bytes[Self.versionOffset]) }
    guard bytes.count >= Self.size else { return nil }
    let name = String(decoding: bytes[Self.mechanism].prefix { $0 != 0 }, as: UTF8.self)
    guard name == "\(wanted)" else { throw .mechanism(name) }
    minorVersion = bytes[Self.versionOffset + 1]
  }
}
