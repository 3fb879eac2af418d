/// Whether an attendee may send camera video.
enum CameraAvailability: CaseIterable, Hashable, Sendable {
  /// The attendee could publish its camera now, or has already published it.
  case available
  /// The attendee's capabilities do not allow camera video.
  case notAllowed
  /// The meeting has reached its limit of cameras, or the attendee watches from a replica.
  case viewOnly
}
