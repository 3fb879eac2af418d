package import CarillonClientCore

extension AttendeeInfo {
  /// The display name; empty if the library uses the external user id as the display name.
  package var ownName: String { displayName == externalUserId ? "" : displayName }
}
