/// A report of a session's connection about video.
enum VideoUpdate: Hashable, Sendable {
  /// Whether the session may send camera video.
  case cameraAvailability(Bool)
  /// Video sources became unavailable and available, by attendee id.
  ///
  /// An attendee who is in both lists has replaced a source with a new source.
  case sources(gone: [String], come: [String])
  /// Tiles changed. The notices are in the order of the changes.
  case tiles([TileNotice])
  /// The server has published the video that the session declared with this number. This tile shows
  /// the video.
  case published(number: UInt64, tileId: Int)
  /// The server has ended the video that the session declared with this number, as the session
  /// requested.
  case unpublished(number: UInt64)
  /// The server rejected or ended the video that the session declared with this number.
  case publishingFailed(number: UInt64)
}
