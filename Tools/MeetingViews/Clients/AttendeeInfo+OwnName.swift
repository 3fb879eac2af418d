package import CarillonClientCore

extension AttendeeInfo {
  /// The display name, without the external user id that stands for it where there is none.
  package var ownName: String { displayName == externalUserId ? "" : displayName }
}
