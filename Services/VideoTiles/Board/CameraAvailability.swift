/// Whether an attendee may send camera video.
enum CameraAvailability: CaseIterable, Hashable, Sendable {
  /// Publishing would succeed, or the camera is published.
  case available
  /// Its capabilities do not allow it.
  case notAllowed
  /// The meeting has reached its limit of cameras, or the attendee watches from a replica.
  case viewOnly
}
