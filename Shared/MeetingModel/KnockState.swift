/// The state of a knock, for the page of the waiting person.
public enum KnockState: String, CaseIterable, Hashable, Sendable {
  /// No host has answered yet.
  case waiting
  /// A host has admitted the person.
  case admitted
  /// A host has denied the person.
  case denied
}
