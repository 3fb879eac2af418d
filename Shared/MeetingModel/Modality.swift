/// The kind of a participant that is not a person: the part of the participant's id after `#`.
public enum Modality: String, CaseIterable, Hashable, Sendable {
  /// A content share of the attendee whose id precedes the `#`.
  case content
}
