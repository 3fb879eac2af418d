/// A GUID that identifies one kind of object.
///
/// Identifiers are equal when their GUIDs are equal, so letter case does not matter. The order of
/// identifiers is the order of their ``text``.
public protocol GUIDIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The name of the kind for error messages, as in "meeting id".
  static var noun: String { get }

  /// The GUID.
  var guid: GUID { get }

  /// Creates an identifier, without checking that the object exists.
  init(_ guid: GUID)
}

extension GUIDIdentifier {
  /// Parses 8-4-4-4-12 hexadecimal digits in any case.
  ///
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` for any other text.
  public init(_ text: String) throws(InvalidModelValue) {
    guard let guid = GUID(text) else {
      throw .invalidValue(what: Self.noun, rule: "8-4-4-4-12 hexadecimal digits")
    }
    self.init(guid)
  }

  /// Returns a new identifier: a version-4 GUID from the system's random numbers.
  public static func random() -> Self { Self(.random()) }

  /// The whole identifier, 36 lower-case characters.
  public var text: String { guid.text }

  /// The text for logs: the first eight characters and an ellipsis.
  public var description: String { "\(text.prefix(8))…" }

  public static func < (left: Self, right: Self) -> Bool {
    (left.guid.high, left.guid.low) < (right.guid.high, right.guid.low)
  }
}
