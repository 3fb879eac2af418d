public import Foundation

/// What else than a person an attendee id may stand for.
public enum ModalityType: Int, CaseNamed {
  /// A content share: the id ends in `#content`.
  case content = 0
}

/// An attendee id taken apart into its base and its modality, as in `abc#content`.
public final class DefaultModality: NSObject, Sendable {
  /// What stands between base and modality.
  public static let separator = "#"

  /// The id as given.
  public let id: String

  /// The id of the attendee behind it; empty for an empty id.
  public let base: String

  /// What follows the separator, if exactly one non-empty part does.
  public let modality: String?

  /// Takes the id apart at `#`; empty parts are ignored.
  public init(id: String) {
    let parts = id.split(separator: "#")
    self.id = id
    base = parts.first.map(String.init) ?? ""
    modality = parts.count == 2 ? String(parts[1]) : nil
  }

  /// Whether the id stands for this kind of thing.
  public func isOfType(type: ModalityType) -> Bool {
    modality == type.description
  }
}
