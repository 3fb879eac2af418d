/// A key and a value that an application attaches to a meeting.
public struct MeetingTag: Hashable, Sendable {
  /// The key: 1–128 letters, digits and `+ , - . / : ; < = _`. The key does not begin with `aws:`.
  public let key: String

  /// The value: 0–256 characters. The allowed characters are the characters of a key, `@` and ASCII
  /// white space.
  public let value: String

  /// Creates a tag.
  ///
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` for an invalid key or value.
  public init(key: String, value: String) throws(InvalidModelValue) {
    guard Self.isValidKey(key) else {
      throw .invalidValue(
        what: "tag key",
        rule: "1-128 letters, digits or + , - . / : ; < = _, and not begin with aws:")
    }
    guard
      value.unicodeScalars.count <= 256,
      value.unicodeScalars.allSatisfy({ isKeyScalar($0) || $0 == "@" || $0.isASCIIWhitespace })
    else {
      throw .invalidValue(
        what: "tag value", rule: "at most 256 letters, digits, spaces or + , - . / : ; < = _ @")
    }
    self.key = key
    self.value = value
  }

  /// Returns whether `key` is valid. Requests that contain keys without values need this check.
  public static func isValidKey(_ key: String) -> Bool {
    (1...128).contains(key.unicodeScalars.count) && key.unicodeScalars.allSatisfy(isKeyScalar)
      && !key.hasReservedPrefix
  }
}

/// Returns whether the published pattern `[a-zA-Z+-=._:/]` allows a character. In this pattern,
/// `+-=` is a range (U+002B to U+003D).
private func isKeyScalar(_ scalar: Unicode.Scalar) -> Bool {
  scalar.isASCIIAlphanumeric || ("+"..."=").contains(scalar) || scalar == "_"
}
