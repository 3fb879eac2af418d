package import CarillonClientCore

extension AttendeeInfo {
  /// The display name; empty where the library substitutes the external user id.
  package var ownName: String { displayName == externalUserId ? "" : displayName }
}
