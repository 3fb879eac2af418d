/// A region label of a meeting's media. An installation hosts the media of all regions itself.
public struct MediaRegion: Hashable, Sendable, CustomStringConvertible {
  /// The label as given.
  public let text: String

  /// Creates a region.
  ///
  /// - Parameter additional: Labels that the operator allows in addition to ``known``.
  /// - Throws: ``InvalidModelValue/invalidValue(what:rule:)`` unless `text` is an allowed label of
  ///   2–64 code points.
  public init(_ text: String, additional: Set<String> = []) throws(InvalidModelValue) {
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

  /// The regions in the published interface.
  public static let known: Set<String> = [
    "af-south-1", "ap-northeast-1", "ap-northeast-2", "ap-south-1", "ap-southeast-1",
    "ap-southeast-2", "ca-central-1", "eu-central-1", "eu-north-1", "eu-south-1", "eu-west-1",
    "eu-west-2", "eu-west-3", "sa-east-1", "us-east-1", "us-east-2", "us-west-1", "us-west-2",
    "us-gov-east-1", "us-gov-west-1",
  ]
}
