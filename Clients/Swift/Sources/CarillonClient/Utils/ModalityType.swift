/// What else than a person an attendee id may stand for.
public enum ModalityType: Int, CaseNamed {
  /// A content share: the id ends in `#content`.
  case content = 0
}
