/// An identifier that is a GUID and names one kind of thing.
///
/// Two identifiers are equal when their GUIDs are, whatever the case they were written in.
/// Order is that of ``text``.
public protocol GUIDIdentifier: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// What is identified, as in "meeting id"; for error messages.
  static var noun: String { get }

  /// The identifier itself.
  var guid: GUID { get }

  /// Names the thing with this GUID; whether it exists is not known here.
  init(_ guid: GUID)
}

extension GUIDIdentifier {
  /// Reads 8-4-4-4-12 hexadecimal digits in any case.
  ///
  /// - Throws: ``ModelError/invalidValue(what:rule:)`` for any other text.
  public init(_ text: String) throws(ModelError) {
    guard let guid = GUID(text) else {
      throw .invalidValue(what: Self.noun, rule: "8-4-4-4-12 hexadecimal digits")
    }
    self.init(guid)
  }

  /// A new identifier: a version-4 GUID from the system's random numbers.
  public static func random() -> Self { Self(.random()) }

  /// The whole identifier, 36 lower-case characters.
  public var text: String { guid.text }

  /// What logs show: the first eight characters and an ellipsis.
  public var description: String { "\(text.prefix(8))…" }

  public static func < (left: Self, right: Self) -> Bool {
    (left.guid.high, left.guid.low) < (right.guid.high, right.guid.low)
  }
}
