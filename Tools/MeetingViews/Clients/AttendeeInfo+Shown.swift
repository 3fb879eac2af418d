package import Wire

extension V1.AttendeeInfo {
  /// The name to show: the display name, or else the external user id.
  package var shownName: String { displayName.isEmpty ? externalUserID : displayName }
}
