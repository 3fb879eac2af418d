/// A label for where a meeting's media lives; this installation hosts all of them itself.
public struct MediaRegion: Hashable, Sendable, CustomStringConvertible {
  /// The label, as it was given.
  public let text: String

  /// - Parameter additional: Names that the operator accepts besides ``known``.
  /// - Throws: ``ModelError/invalidValue(what:rule:)`` unless `text` is one of either, and of 2–64
  ///   code points.
  public init(_ text: String, additional: Set<String> = []) throws(ModelError) {
    guard
      (2...64).contains(text.unicodeScalars.count),
      Self.known.contains(text) || additional.contains(text)
    else {
      throw .invalidValue(
        what: "media region", rule: "one this installation accepts, such as us-east-1")
    }
    self.text = text
  }

  public var description: String { text }

  /// The regions that the published interface names.
  public static let known: Set<String> = [
    "af-south-1", "ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-1",
    "ap-southeast-2", "ca-central-1", "eu-central-1", "eu-north-1", "eu-south-1", "eu-west-1",
    "eu-west-2", "eu-west-3", "sa-east-1", "us-east-1", "us-east-2", "us-west-1", "us-west-2",
    "us-gov-east-1", "us-gov-west-1",
  ]
}
