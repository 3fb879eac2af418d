public import Foundation

/// The kinds of participants, other than persons, that an attendee id can identify.
public enum ModalityType: Int, CaseNamed {
  /// A content share, whose id ends in `#content`.
  case content = 0
}

/// An attendee id split into its base and its modality, as in `abc#content`.
public final class DefaultModality: NSObject, Sendable {
  /// The text between base and modality.
  public static let separator = "#"

  /// The id as given.
  public let id: String

  /// The attendee's own id, without the separator and the modality; empty for an empty id.
  public let base: String

  /// The part after the separator if the id has exactly two non-empty parts; otherwise `nil`.
  public let modality: String?

  /// Splits the id at `#`. Ignores empty parts.
  public init(id: String) {
    let parts = id.split(separator: "#")
    self.id = id
    base = parts.first.map(String.init) ?? ""
    modality = parts.count == 2 ? String(parts[1]) : nil
  }

  /// Returns whether the id has the given modality.
  public func isOfType(type: ModalityType) -> Bool {
    modality == type.description
  }
}
