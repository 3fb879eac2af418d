package import Wire

extension V1.AttendeeInfo {
  /// What to show of the attendee: its display name, or its external user id.
  package var shownName: String { displayName.isEmpty ? externalUserID : displayName }
}
